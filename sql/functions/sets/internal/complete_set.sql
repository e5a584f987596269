-- complete_set(set_id): publishes the message of a set whose members have all ended. The caller has locked the set.
-- If the database refuses the message, the worker's report still succeeds: the error is stored as the set's problem, and maintain()
-- tries again.
-- Raises: transient errors (problem_passes()).
-- Touches: job_set, message.
-- postrider: after problem_passes, publish_many, set_message
create or replace function postrider.complete_set(p_set_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_id uuid := postrider.uuid_v7();
    s postrider.job_set;
begin
    select * into s from postrider.job_set where id = p_set_id;
    perform postrider.publish_many(jsonb_build_array(
        postrider.set_message(s.name, s.message, s.ended, s.failed) || jsonb_build_object('id', v_id)));
    update postrider.job_set set completed_at = clock_timestamp(), message_id = v_id, problem = null where id = p_set_id;
exception when others then
    if postrider.problem_passes(sqlstate) then
        raise;
    end if;
    update postrider.job_set set problem = left(sqlerrm, 1000) where id = p_set_id;
end
$$;
