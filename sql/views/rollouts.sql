-- rollouts: which generations and versions of workers each consumer has had, and since when.
create or replace view postrider.rollouts as
select c.name as consumer, c.channel, nullif(r.generation, -1) as generation, r.version, r.first_at, r.last_at
from postrider.rollout r join postrider.consumer c on c.id = r.consumer_id;
