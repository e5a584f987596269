-- handler_policies(consumer_id, names, all): every revision of handlers of a consumer, with the policy of its newest revision and
-- whether its circuit is not closed. p_names is a JSON array of handlers, p_all: all of them.
-- Stable, one query and without settings, so that the planner inlines it.
-- Touches: handler, circuit (read).
-- postrider: after retry_policy
create or replace function postrider.handler_policies(p_consumer_id int, p_names jsonb, p_all boolean)
    returns table (name text, event_types text[], starts postrider.position, ends postrider.position, registered_at timestamptz,
                   retired_at timestamptz, max_attempts smallint,
                   max_crashes smallint, retry jsonb, policy postrider.retry_policy, classes jsonb, honour_terminal boolean, outage boolean)
    language sql stable
    as $$
    select h.name, h.event_types, h.starts, h.ends, h.registered_at, h.retired_at, p.max_attempts, p.max_crashes, p.retry,
           postrider.retry_policy(p.retry), p.classes, p.honour_terminal,
           coalesce(k.state, 'closed') <> 'closed'
    from postrider.handler h
    cross join lateral (
        select p.max_attempts, p.max_crashes, p.retry, p.classes, p.honour_terminal from postrider.handler p
        where p.consumer_id = p_consumer_id and p.name = h.name
        order by p.revision desc
        limit 1) p
    left join postrider.circuit k on k.consumer_id = p_consumer_id and k.handler = h.name
    where h.consumer_id = p_consumer_id and (p_all or p_names ? h.name)
    $$;
