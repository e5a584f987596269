-- helped(function): how often the library has called this function in SQL since the previous call of helped().
set track_functions = 'pl';
create function promise.helped(p_function regprocedure) returns bigint
    language plpgsql
    as $$
declare
    v_setting text := 'promise.calls_of_' || p_function::oid;
    v_calls bigint := coalesce(pg_stat_get_xact_function_calls(p_function), 0);
    v_before bigint := coalesce(nullif(current_setting(v_setting, true), ''), '0');
begin
    perform set_config(v_setting, v_calls::text, false);
    return v_calls - v_before;
end
$$;
