-- require_diagnostics(table): makes sure that a table for diagnostics of dead letters exists and has the columns queue_name,
-- original_msg_id, payload, step, recording_id, read_ct, last_error, first_seen, dead_at and dlq_msg_id, which names the message in <queue>_dlq.
-- A name without a schema is of the schema public. A table that exists keeps its types; dlq_msg_id is added.
-- Returns: the name, quoted and with its schema.
-- Raises: PR001 for a table that does not have the columns, PR013 for a malformed name.
create or replace function postrider.require_diagnostics(p_table text) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_parts text[];
    v_table text;
    v_missing text;
begin
    begin
        v_parts := parse_ident(p_table);
    exception when invalid_parameter_value then
        v_parts := null;
    end;
    if coalesce(cardinality(v_parts), 0) not in (1, 2) then
        raise exception using errcode = 'PR013', message = format('invalid table name %L', p_table), hint = 'Use schema.table.';
    end if;
    v_parts := case when cardinality(v_parts) = 1 then array['public'] else '{}' end || v_parts;
    v_table := format('%I.%I', v_parts[1], v_parts[2]);
    if to_regclass(v_table) is null then
        execute format(
            'create table %s (queue_name text not null, original_msg_id bigint, payload jsonb not null, step text,
                 recording_id text, read_ct int not null, last_error text, first_seen timestamptz not null,
                 dead_at timestamptz not null)', v_table);
        execute format('create index on %s (dead_at desc)', v_table);
    end if;
    if not exists (select from pg_attribute a where a.attrelid = v_table::regclass and a.attname = 'dlq_msg_id') then
        execute format('alter table %s add column dlq_msg_id bigint', v_table);
        execute format('create index on %s (dlq_msg_id)', v_table);
    end if;
    select string_agg(c.name, ', ' order by c.n) into v_missing
    from unnest('{queue_name,original_msg_id,payload,step,recording_id,read_ct,last_error,first_seen,dead_at}'::text[])
         with ordinality as c(name, n)
    where not exists (select from pg_attribute a where a.attrelid = v_table::regclass and a.attname = c.name and not a.attisdropped);
    if v_missing is not null then
        raise exception using errcode = 'PR001', message = format('the table %s lacks the columns %s', v_table, v_missing),
            hint = 'Add them, or let define_pgmq_pipeline make the table under another name.';
    end if;
    return v_table;
end
$$;
