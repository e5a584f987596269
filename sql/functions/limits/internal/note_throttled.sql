-- note_throttled(messages): notes messages that wait for a limit of their handler.
-- Returns: how many; those that were noted before, when the cursor was moved back, do not count.
-- Touches: waiting (insert).
create or replace function postrider.note_throttled(p_messages postrider.waiting[]) returns int
    language plpgsql volatile
    as $$
declare
    v_count int;
begin
    insert into postrider.waiting select m.* from unnest(p_messages) m
    on conflict (consumer_id, priority, due_at, seq) do nothing;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
