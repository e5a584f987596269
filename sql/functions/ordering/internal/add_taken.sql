-- add_taken(taken, more): two lists of messages that a claim took, as one. The second is of messages with ordering keys; either may be empty,
-- with null fields.
create or replace function postrider.add_taken(p_taken postrider.taken, p_more postrider.taken) returns postrider.taken
    language plpgsql immutable
    as $$
declare
    t postrider.taken := p_taken;
begin
    if p_more.seqs is not null then
        t.keys := coalesce(nullif(t.keys, '{}'), array_fill(null::text, array[coalesce(cardinality(t.seqs), 0)])) || p_more.keys;
        t.seqs := t.seqs || p_more.seqs;
        t.xids := t.xids || p_more.xids;
        t.keyed := coalesce(t.keyed, '{}');
        t.from_at := least(t.from_at, p_more.from_at);
        t.to_at := greatest(t.to_at, p_more.to_at);
    end if;
    return t;
end
$$;
