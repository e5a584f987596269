-- require_open(filter, found): refuses a filter of cancel() that names messages by their ids which neither wait nor run. p_found are those
-- that do. A filter with a workspace_id sees that workspace alone: an id of another workspace is refused like one that does not exist.
-- Raises: PR014 for an id that does not exist, PR012 for a job that has ended.
-- Touches: message, delivery (read).
create or replace function postrider.require_open(p_filter jsonb, p_found uuid[]) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_missing uuid := (select i::uuid from jsonb_array_elements_text(coalesce(p_filter -> 'ids', '[]')) i
                       where i::uuid <> all (p_found) limit 1);
    v_workspace uuid := p_filter ->> 'workspace_id';
begin
    if v_missing is null then
        return;
    elsif not exists (select from postrider.message m
                      where m.id = v_missing and (v_workspace is null or m.workspace_id = v_workspace))
          and not exists (select from postrider.delivery d
                          where d.message_id = v_missing and (v_workspace is null or d.workspace_id = v_workspace)) then
        raise exception using errcode = 'PR014', message = format('cancel: there is no message %s', v_missing);
    end if;
    raise exception using errcode = 'PR012',
        message = format('cancel: message %s neither waits nor runs for a consumer that matches the filter', v_missing),
        hint = 'A job that has ended cannot be cancelled; postrider jobs show prints its state.';
end
$$;
