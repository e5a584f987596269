-- require_cluster(): refuses to go on in a cluster the cursors do not belong to.
-- Raises: PR006 when the newest epoch is another cluster's or has not been rebased.
-- postrider: after system_identifier
create or replace function postrider.require_cluster() returns void
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not exists (select from postrider.epoch
                   where system_identifier = postrider.system_identifier()
                     and rebased_at is not null) then
        raise exception using errcode = 'PR006',
            message = 'this log was copied from another database cluster, where its cursors were made',
            hint = 'Run: postrider rebase (or: select * from postrider.rebase()).';
    end if;
    perform set_config('postrider.claims', 'known', false);
end
$$;
