-- read_on(cursor, batch, limit): read_piece() for the rest of a large claim: the messages behind a batch that is handed out.
-- Returns: one claim_batch. When the next messages are special, or there are none, it is empty and special: the claim ends there, and
--   the next one checks them.
-- Stable, one query and without settings, so that the planner inlines it.
-- postrider: after read_piece
create or replace function postrider.read_on(p_cursor postrider.claim_cursor, p_batch postrider.claim_batch, p_limit int)
    returns setof postrider.claim_batch
    language sql stable
    as $$
    select case when not p.special then p.seqs end, case when not p.special then p.messages end,
           case when not p.special then p.to_xid when p.special then (p_batch).to_xid else (p_cursor).before end,
           case when not p.special then p.to_seq when p.special then (p_batch).to_seq else 0 end,
           p.special is distinct from false, null::int
    from postrider.read_piece(p_cursor, (p_batch).to_xid, (p_batch).to_seq, p_limit) p
    $$;
