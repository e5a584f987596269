-- require_progress(reports): refuses reports that record_progress() cannot record.
-- Raises: PR001, PR002.
-- postrider: after require_keys
create or replace function postrider.require_progress(p_reports json) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_text_max constant int := 1000;
    v_result_max constant int := 16384;
    v_reports constant jsonb := p_reports;
    r record;
begin
    if jsonb_typeof(v_reports) is distinct from 'array' or jsonb_path_exists(v_reports, 'strict $[*] ? (@.type() != "object")') then
        raise exception using errcode = 'PR001', message = 'record_progress: the reports must be a JSON array of objects';
    -- The path is inside a filter: in strict mode a report without it would end the search.
    elsif jsonb_path_exists(v_reports, 'strict $[*] ? (exists (@.fraction ? (@ != null && !(@.type() == "number" && @ >= 0 && @ <= 1))))') then
        raise exception using errcode = 'PR001', message = 'record_progress: fraction must be a number from 0 to 1';
    elsif jsonb_path_exists(v_reports, 'strict $[*] ? (exists (@.text ? (@ != null && @.type() != "string")))') then
        raise exception using errcode = 'PR001', message = 'record_progress: text must be a string';
    end if;
    perform postrider.require_keys(v_reports, '{lease,token,seq,id,handler,delivery,fraction,text,result}', 'a report of progress');
    -- The size of the text as it was written: a number can be much longer as jsonb.
    for r in select octet_length(e.item ->> 'text') as text, octet_length((e.item -> 'result')::text) as result
             from json_array_elements(p_reports) as e(item)
    loop
        if r.text > v_text_max or r.result > v_result_max then
            raise exception using errcode = 'PR002',
                message = format('record_progress: a text may have %s bytes and a result %s, got %s and %s', v_text_max, v_result_max,
                                 coalesce(r.text, 0), coalesce(r.result, 0)),
                hint = 'Store larger documents elsewhere and record a reference.';
        end if;
    end loop;
end
$$;
