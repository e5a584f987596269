-- A search index was lost, and a consumer handles the messages since a time again; another one skips messages that are of no use any more.
-- On the command line it is `postrider consumers seek`, on the page "Seek …" of a consumer.
\set ON_ERROR_STOP on

select gen_random_uuid() as search, gen_random_uuid() as metrics \gset
select postrider.register_worker(:'search', 'search', '[{"name": "search.index", "event_types": ["page.*"]}]') is not null as registered;
select postrider.register_worker(:'metrics', 'metrics', '[{"name": "metrics.count", "event_types": ["page.*"]}]') is not null as registered;

select count(postrider.publish('page.edited', jsonb_build_object('page', n))) from generate_series(1, 2) n;
select clock_timestamp() as backup \gset
select count(postrider.publish('page.edited', jsonb_build_object('page', n))) from generate_series(3, 5) n;

-- The index has all five pages.
create temp table indexed as select * from postrider.claim(:'search', 100);
select postrider.settle(:'search', lease_id, lease_token) from indexed group by lease_id, lease_token;

-- It is restored from a backup. A dry run says what a move would do.
select * from postrider.seek_consumer('search', :'backup', null, null, p_dry_run => true);
select * from postrider.seek_consumer('search', :'backup', 'ann', 'the index was restored');
create temp table again as select * from postrider.claim(:'search', 100);

-- Old figures are of no use: to now, which skips them.
select * from postrider.seek_consumer('metrics', null, 'ann', 'old values are of no use');
create temp table counted as select * from postrider.claim(:'metrics', 100);

do $$
begin
    assert (select count(*) from indexed) = 5;
    assert (select array_agg(payload ->> 'page' order by seq) from again) = '{3,4,5}', 'those since the backup';
    assert not exists (select from counted), 'skipped';
    assert (select array_agg(filter ->> 'consumer' order by audit) from postrider.audits where action = 'seek_consumer') = '{search,metrics}';
end
$$;
