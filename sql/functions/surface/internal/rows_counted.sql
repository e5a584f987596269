-- rows_counted(counts): how many rows a figure counts at most if it makes this many counts: 50000 for up to 20, half of it for up to 40 and so on, so
-- that all of them together count about a million rows. By halves, because a rate that is computed from two counts needs the same limit in both.
create or replace function postrider.rows_counted(p_counts bigint) returns int
    language plpgsql immutable
    as $$
begin
    return 50000 / 2 ^ pg_catalog.ceil(pg_catalog.log(2, greatest(p_counts, 20) / 20.0));
end
$$;
