-- A bound of partitions just now, so that messages lie on both sides of it.
do $$
declare
    p record;
begin
    select * into p from postrider.partitions() where now() >= from_at and now() < to_at;
    execute format('drop table postrider.%I', p.name);
    execute format('create table postrider.message_before partition of postrider.message for values from (%s) to (%L)',
                   case p.from_at when '-infinity' then 'minvalue' else quote_literal(p.from_at) end, now());
    execute format('create table postrider.message_after partition of postrider.message for values from (%L) to (%L)', now(), p.to_at);
end
$$;
