-- long_queues(consumer_id, most): ordering keys of a consumer that at least p_most messages wait for, and how many.
-- If the consumer has many followers, a call reads only a part of them, from a random key on; another call reads
-- another part.
-- Touches: follower (read).
create or replace function postrider.long_queues(p_consumer_id int, p_most int, out key text, out followers bigint) returns setof record
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_read constant int := greatest(50000, p_most);
    v_pages constant bigint := pg_relation_size('postrider.follower') / 8192;
    v_from text collate "C" := '';
begin
    -- Returns quickly for a consumer with few followers.
    if not exists (select from postrider.follower f where f.consumer_id = p_consumer_id offset p_most - 1) then
        return;
    elsif exists (select from postrider.follower f where f.consumer_id = p_consumer_id offset v_read) then
        -- A random row, so a key is chosen in proportion to its followers and a long queue is found soon.
        v_from := coalesce((select s.key from (select f.key from postrider.follower f tablesample system (least(100, 10000.0 / greatest(v_pages, 1)))
                                               where f.consumer_id = p_consumer_id) s order by random() limit 1), '');
    end if;
    return query
    select r.key::text, count(*)
    from (select f.key from postrider.follower f
          where f.consumer_id = p_consumer_id and f.key >= v_from
          order by f.key, f.seq limit v_read) r
    group by r.key having count(*) >= p_most;
end
$$;
