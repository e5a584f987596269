-- require_no_subscription(): raises an error while logical replication writes into the log. Messages and cursors of the other
-- cluster that arrive after a rebase would be taken for this cluster's, and messages would be lost.
-- Raises: PR012 when a subscription has tables of this schema, enabled or not.
create or replace function postrider.require_no_subscription() returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_names text;
begin
    select string_agg(distinct quote_ident(s.subname), ', ') into v_names
    from pg_subscription_rel r
    join pg_subscription s on s.oid = r.srsubid
    join pg_class c on c.oid = r.srrelid
    where c.relnamespace = 'postrider'::regnamespace;
    if v_names is not null then
        raise exception using errcode = 'PR012',
            message = format('logical replication still writes into this log: subscription %s', v_names),
            hint = 'Stop producers and workers at its publisher, wait until all changes are replicated, then drop the subscription.';
    end if;
end
$$;
