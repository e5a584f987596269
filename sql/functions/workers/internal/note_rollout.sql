-- note_rollout(consumer_id, generation, version): records when workers of a generation and version first and last registered for a
-- consumer. The 50 that registered last are kept.
-- Touches: rollout.
create or replace function postrider.note_rollout(p_consumer int, p_generation bigint, p_version text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    update postrider.rollout set last_at = clock_timestamp()
    where consumer_id = p_consumer and generation = coalesce(p_generation, -1) and version = p_version;
    if not found then
        insert into postrider.rollout (consumer_id, generation, version) values (p_consumer, coalesce(p_generation, -1), p_version)
        on conflict do nothing;
        delete from postrider.rollout r
        where r.consumer_id = p_consumer
          and (r.generation, r.version) not in (
              select k.generation, k.version from postrider.rollout k
              where k.consumer_id = p_consumer order by k.last_at desc limit 50);
    end if;
end
$$;
