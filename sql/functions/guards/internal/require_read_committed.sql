-- require_read_committed(operation): refuses isolation levels under which a cursor could skip messages.
-- Raises: PR005. Each statement needs a snapshot of its own, not the snapshot of the transaction.
create or replace function postrider.require_read_committed(p_operation text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
        raise exception using errcode = 'PR005',
            message = format('%s runs only under READ COMMITTED, this transaction is %s',
                             p_operation, upper(current_setting('transaction_isolation'))),
            hint = 'Call it in a transaction of its own, or begin with: begin isolation level read committed.';
    end if;
end
$$;
