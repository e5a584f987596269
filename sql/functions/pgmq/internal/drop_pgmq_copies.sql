-- drop_pgmq_copies(deliveries): drop_pgmq_copy() for dead letters that retention is about to end, as far as possible: a message of <queue>_dlq that a
-- reader holds, or a revoked privilege, keeps only the dead letters concerned.
-- Returns: those whose copy stays. The caller has locked them. Touches: the tables that drop_pgmq_copy() touches.
-- postrider: after drop_pgmq_copy
create or replace function postrider.drop_pgmq_copies(p_deliveries bigint[]) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_kept bigint[] := '{}';
    v_id bigint;
begin
    for v_id in select k.delivery_id from postrider.pgmq_copy k where k.delivery_id = any (p_deliveries) order by 1 loop
        begin
            perform postrider.drop_pgmq_copy(v_id);
        exception when others then
            v_kept := v_kept || v_id;
        end;
    end loop;
    return v_kept;
end
$$;
