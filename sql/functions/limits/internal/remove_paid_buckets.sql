-- remove_paid_buckets(pages, now): removes buckets whose starts are paid off from pages of the table that are chosen at random, p_pages of them next to
-- each other. Producers choose keys, and each key that starts a run makes a bucket, so the time of a full scan would be unbounded. Each claim scans
-- several times the bytes that it writes, so claims remove more buckets than they make.
-- Buckets of other consumers are also removed: a bucket that is paid off means the same as no bucket. Locked buckets are skipped.
-- Touches: limit_bucket. The caller's settings pin the plan.
create or replace function postrider.remove_paid_buckets(p_pages int, p_now timestamptz) returns void
    language plpgsql volatile
    as $$
declare
    v_pages constant bigint := pg_relation_size('postrider.limit_bucket') / current_setting('block_size')::int;
    v_first constant bigint := floor(random() * greatest(v_pages - p_pages + 1, 1));
    v_from constant tid := format('(%s,0)', v_first);
    v_to constant tid := format('(%s,0)', v_first + p_pages);
begin
    delete from postrider.limit_bucket
    where ctid = any (array(
        select b.ctid from postrider.limit_bucket b
        where b.ctid >= v_from and b.ctid < v_to and b.paid_at < p_now
        for update skip locked));
end
$$;
