-- require_generation(deliveries, generation): refuses to move deliveries to a generation that cannot run them.
-- Raises: PR003 when a consumer does not exist on the generation's channel, PR011 when it has no such handler there.
create or replace function postrider.require_generation(p_deliveries bigint[], p_generation bigint) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r record;
begin
    select w.* into r
    from (select distinct c.name, d.handler, t.id
          from postrider.delivery d
          join postrider.consumer c on c.id = d.consumer_id
          left join postrider.consumer t on t.name = c.name and t.channel = 'outbox_gen_' || p_generation
          where d.id = any (p_deliveries)) w
    where p_generation is not null
      and (w.id is null or w.handler <> '' and not exists (
               select from postrider.handler h
               where h.consumer_id = w.id and h.name = w.handler and h.retired_at is null))
    order by w.id nulls first
    limit 1;
    if not found then
        return;
    elsif r.id is null then
        raise exception using errcode = 'PR003',
            message = format('there is no consumer %s on channel outbox_gen_%s', r.name, p_generation),
            hint = 'Start its workers there first, or replay with generation null: where it is.';
    end if;
    raise exception using errcode = 'PR011',
        message = format('consumer %s has no handler %s on channel outbox_gen_%s', r.name, r.handler, p_generation),
        hint = 'Start a worker of that generation that has it, or replay with generation null: where it is.';
end
$$;
