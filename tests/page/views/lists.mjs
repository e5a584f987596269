import assert from 'node:assert/strict';
import { it } from 'node:test';
import { quote, sql, worker } from '../stage.mjs';

/** Many dead letters at once, made by copying one. */
async function many(handler, count) {
    const crowd = await worker('crowd', handler);
    const [id] = await crowd.die(['{"n": 0}'], 'too many of them', 'crowd');
    const columns = await sql(`select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = 'postrider.delivery'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
          and attname not in ('id', 'message_id', 'idempotency_key', 'dead_at', 'seq')`);
    await sql(`insert into postrider.delivery (${columns}, message_id, idempotency_key, dead_at, seq)
        select ${columns}, gen_random_uuid(), gen_random_uuid()::text, d.dead_at - n * interval '1 second', d.seq + 1000000 + n
        from postrider.delivery d, generate_series(1, ${count - 1}) n where d.id = ${id};
        analyze postrider.delivery;`);
    return crowd;
}

export function lists(stage) {
    it('stays_quick_with_a_hundred_thousand_dead_letters_and_pages_through_them', async () => {
        const count = Number(process.env.POSTRIDER_TEST_PAGE_ROWS ?? 100000);
        await many('crowd.it', count);
        const page = await stage.page();
        const timed = async (hash) => {
            const begin = performance.now();
            await page.to(hash);
            return performance.now() - begin;
        };
        await page.to('#/audits');
        const list = await timed('#/dead-letters/list?handler=crowd.it');
        assert.equal(await page.locator('main tbody tr').count(), 50);
        const groups = await timed('#/dead-letters?handler=crowd.it');
        assert.match(await page.locator('main tbody').innerText(), new RegExp(count.toLocaleString('en-GB')));
        // The machine may be busy; without pages these would take many seconds.
        assert.ok(list < 3000 && groups < 3000, `list ${Math.round(list)} ms, groups ${Math.round(groups)} ms`);
        console.log(`# ${count} dead letters: list ${Math.round(list)} ms, groups ${Math.round(groups)} ms`);

        await page.to('#/dead-letters/list?handler=crowd.it');
        const newest = await page.locator('main tbody tr').first().getAttribute('data-row');
        await page.getByRole('link', { name: 'Next page' }).click();
        await page.waitForURL(/after=/);
        await page.ready();
        const second = await page.locator('main tbody tr').first().getAttribute('data-row');
        assert.notEqual(second, newest);
        const other = await stage.page();
        await other.to(new URL(page.url()).hash);
        assert.equal(await other.locator('main tbody tr').first().getAttribute('data-row'), second, 'a link shows the same page');
        await other.end();
        await page.getByRole('link', { name: 'First page' }).click();
        await page.waitForURL((url) => !url.href.includes('after='));
        await page.ready();
        assert.equal(await page.locator('main tbody tr').first().getAttribute('data-row'), newest);
        await page.end();
        await sql(`delete from postrider.delivery where handler = ${quote('crowd.it')};`);
    });

    it('explains_empty_lists_and_errors', async () => {
        const page = await stage.page();
        page.expectsFailures = true;
        await page.to('#/dead-letters/list?handler=unknown.handler');
        assert.match(await page.locator('main').innerText(), /No dead letter matches/);
        await page.to('#/dead-letters/999999999');
        assert.match(await page.locator('main').innerText(), /could not be shown/);
        assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1);
        await page.to('#/dead-letters/list?dead_after=noon');
        assert.match(await page.locator('main').innerText(), /noon/);
        await page.to('#/no/such/view');
        assert.match(await page.locator('main').innerText(), /no such view/);
        await page.end();
    });
}
