// Limits, brokers and sets of jobs: places where messages wait for something other than a worker.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql, worker } from '../stage.mjs';

/** A handler with a limit per source that throttles messages: two run, three of one key and one of another wait. */
export async function throttled(consumer) {
    const slow = await worker(consumer, `${consumer}.it`);
    await sql(`select postrider.set_limit('${consumer}', '${consumer}.it', '{"concurrency": 4, "key": "source", "per_key": 1, "rate": {"starts": 100, "period": "1 minute", "burst": 10}}',
            'ann', 'a test', '${consumer}');
        select count(postrider.publish('order.placed', '{}', p_source => s, p_channel => '${consumer}'))
            from unnest(array['shop', 'shop', 'shop', 'shop', 'mail', 'mail']) s;`);
    for (let times = 0; times < 3; times += 1) {
        await sql(`select count(*) from postrider.claim('${slow.id}', 10);`);
    }
    return slow;
}

/** A relay whose broker is down, and a worker behind a broker. The address has what an operator must not see. */
export async function brokers() {
    await worker('relayed', 'relayed.relay', { circuit: { failures: 1, open_ms: 3600000, cap_ms: 3600000 }, max_attempts: 5, classes: { outage: ['relay_unavailable'] },
        broker: { direction: 'to', address: 'nats://user:hidden@nats.example.com:4222?token=hidden', name: 'orders.{event_type}' } })
        .then((relay) => relay.die(['{"n": 1}'], 'no servers available for connection', 'relay_unavailable', '', 'transient'));
    await worker('received', 'received.it', { broker: { direction: 'from', address: 'kafka://broker-1.example.com:9092,broker-2.example.com:9092', name: 'orders, group received' } });
}

/** A set of two jobs that nothing has run. */
export async function jobSet(name) {
    const at = `set-${name.replace(/[^a-z]/g, '-')}`;
    await worker(at, `${at}.it`);
    await sql(`select count(*) from postrider.job_sets where name = '${name}' \\gset
        select postrider.publish_set('${name}', jsonb_build_array(m, m), jsonb_build_object('event_type', 'import.done', 'channel', '${at}'))
        from jsonb_build_object('event_type', 'part', 'channel', '${at}', 'target', '${at}') m where :count = 0;`);
}

export function places(stage) {
    it('shows_limits_in_words_with_running_and_waiting_jobs_by_key', async () => {
        await throttled('narrow');
        const page = await stage.page({ width: 360, height: 740, link: await stage.tokenLink('viewer') });
        await page.getByRole('button', { name: 'Menu' }).tap();
        await page.locator('#nav').getByRole('link', { name: 'Limits' }).tap();
        await page.ready();
        const row = page.getByRole('table', { name: 'Limits' }).locator('tbody tr', { hasText: 'narrow.it' });
        const throttledNow = await sql(`select throttled from postrider.limits where handler = 'narrow.it'`);
        assert.ok(Number(throttledNow) >= 3, `${throttledNow} throttled`);
        assert.match(await row.innerText(), new RegExp(`4 runs at once[\\s\\S]*1 run at once per source[\\s\\S]*100 starts in 1 min, 10 at once[\\s\\S]*${throttledNow}`));
        await row.getByText('by source').tap();
        assert.match(await row.innerText(), /shop\s+\d, since/);
        await page.end();
    });

    it('shows_relays_and_workers_behind_brokers_without_credentials', async () => {
        await brokers();
        const page = await stage.page({ width: 768, height: 1024, link: await stage.tokenLink('operator') });
        await page.to('#/brokers');
        const table = page.getByRole('table', { name: 'Brokers' });
        const relay = await table.locator('tbody tr', { hasText: 'relayed.relay' }).innerText();
        assert.match(relay, /publishes to\s+nats:\/\/nats\.example\.com:4222[\s\S]*orders\.\{event_type\}[\s\S]*open[\s\S]*relay_unavailable[\s\S]*no servers available/);
        assert.match(await table.locator('tbody tr', { hasText: 'received.it' }).innerText(), /receives from\s+kafka:\/\/broker-1[\s\S]*group received[\s\S]*see the broker/);
        assert.doesNotMatch(await page.content(), /hidden@|token=hidden/);
        await table.getByRole('link', { name: 'relayed.relay' }).tap();
        await page.ready();
        assert.match(page.url(), /#\/handlers\/relayed\/relayed\.relay/);
        await page.end();
    });

    it('shows_sets_of_jobs_and_the_message_that_follows', async () => {
        await jobSet('import:42');
        const page = await stage.page();
        await page.to('#/sets?name=import%3A42');
        assert.match(await page.getByRole('table', { name: 'Sets' }).locator('tbody tr').innerText(), /import:42\s+a dead member counts as ended\s+2\s+0\s+0\s+import\.done/);
        await page.end();
    });

    it('leads_to_seeks_and_erasures_in_the_audit', async () => {
        const page = await stage.page();
        await page.to('#/audits');
        await page.getByRole('link', { name: 'Erasures' }).click();
        await page.ready();
        assert.match(page.url(), /action=erase/);
        await page.end();
    });
}
