-- native_status(): whether native claims are made in this session.
-- Returns: made, whether the function of the library exists; wanted, the setting postrider.native; trouble, why claims are made in
--   SQL although both are true, or null.
-- postrider: grant worker, operator, viewer, agent
create or replace function postrider.native_status(out made boolean, out wanted boolean, out trouble text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    made := exists (select from pg_proc p join pg_language l on l.oid = p.prolang
                    where p.pronamespace = 'postrider'::regnamespace and p.proname = 'exchange_native' and l.lanname = 'c');
    if made then
        begin
            execute 'select postrider.native_trouble()' into trouble;
        exception when others then
            trouble := sqlerrm;
        end;
    end if;
    -- If the library could be loaded, the setting is registered as a boolean from here on.
    wanted := lower(coalesce(current_setting('postrider.native', true), '')) in ('on', 'true', 'yes', '1');
end
$$;
