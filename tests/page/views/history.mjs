import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Server, eventually, sql, worker } from '../stage.mjs';

/** Runs that a worker counted: 90 fast ones, 10 slow ones, some failures. */
export async function runs(made, more = {}) {
    const record = { handler: made.handler, delivered: 90, transient: 8, terminal: 2, attempts: [92, 8],
        run_times: [0, 0, 0, 0, 0, 0, 90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10], queue_times: [0, 0, 0, 0, 100], ...more };
    await sql(`select postrider.record_runs('${made.id}', :'runs');`, { runs: JSON.stringify([record]) });
}

export function history(stage) {
    it('shows_percentiles_attempts_policy_and_circuit_of_a_handler', async () => {
        const made = await worker('past', 'past.it', { max_attempts: 3, retry: { curve: 'fixed', base_ms: 2000 } });
        await runs(made);
        await sql(`select postrider.hold_handler('past', 'past.it', 'ann', 'while <b>I</b> look', 'past') \\g /dev/null
                   select postrider.release_handler('past', 'past.it', 'bob', 'looked', 'past');`);
        const page = await stage.page({ link: await stage.tokenLink('operator') });
        await page.to('#/handlers?handler=past.it');
        await page.getByRole('link', { name: 'past.it' }).click();
        await page.ready();
        assert.match(page.url(), /#\/handlers\/past\/past\.it\?channel=past$/);
        const row = (name) => page.getByRole('table', { name: 'Percentiles' }).locator('tr', { hasText: name }).innerText();
        // The classes of 0.384 ms and 12.288 ms.
        assert.match(await row('Run time'), /Run time\s+\d+ µs\s+1[0-9] ms\s+1[0-9] ms/);
        assert.match(await row('Queue time'), /Queue time\s+2\d\d µs/);
        const text = await page.locator('main').innerText();
        assert.match(text, /A message has 3 attempts; then it is a dead letter/);
        assert.match(text, /The wait after a failure is 2 s/);
        assert.match(text, /1st attempt\s+92 \(92\.0 %\)/);
        assert.match(text, /Failed\s+10\.0 %/);
        const events = await page.getByRole('table', { name: 'Circuit history' }).locator('tbody tr').allInnerTexts();
        assert.equal(events.length, 2);
        assert.match(events[0], /automatic\s+bob\s+looked/);
        assert.match(events[1], /stopped\s+ann\s+while <b>I<\/b> look/);
        assert.ok(await page.locator('.heat rect').count() >= 2);
        for (const span of ['Day', 'Week']) {
            await page.getByRole('navigation', { name: 'Span' }).getByRole('link', { name: span }).click();
            await page.ready();
            assert.match(await page.locator('main').innerText(), /Runs\s+100/);
        }
        await page.getByRole('button', { name: 'Stop past.it' }).click();
        await page.getByLabel('Reason').fill('again');
        await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
        await page.getByRole('button', { name: 'Automatic past.it' }).waitFor();
        await page.getByRole('table', { name: 'Circuit history' }).getByText('again', { exact: true }).waitFor();
        await page.end();
    });

    it('shows_the_past_after_the_server_was_restarted', async () => {
        const made = await worker('restart', 'restart.it');
        await runs(made);
        const fresh = new Server();
        await fresh.start();
        const page = await stage.page({ link: fresh.link });
        const said = () => page.locator('canvas[aria-label^="Throughput"]').getAttribute('aria-label');
        await eventually(async () => /delivered: .*at most [1-9.]/.test(await said() ?? ''), 'the past');
        assert.match(await page.locator('canvas[aria-label^="Queue time"]').getAttribute('aria-label'), /median: last \d+ µs/);
        await page.end();
        await fresh.stop();
    });

    it('chooses_the_span_and_the_measure_of_the_charts_and_zooms', async () => {
        const page = await stage.page({ link: await stage.tokenLink('viewer') });
        await page.getByRole('button', { name: 'Backlog', exact: true }).click();
        await page.locator('canvas[aria-label^="Backlog"]').waitFor();
        await page.getByRole('navigation', { name: 'Span' }).getByRole('link', { name: 'Week' }).click();
        await page.ready();
        assert.equal(await page.getByRole('button', { name: 'Backlog', exact: true }).count(), 0, 'the server takes it while it runs');
        await page.locator('canvas[aria-label^="Queue time"]').waitFor();
        const canvas = page.locator('canvas[aria-label^="Throughput"]');
        const box = await canvas.boundingBox();
        await page.mouse.move(box.x + box.width * 0.4, box.y + 50);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.8, box.y + 60);
        await page.mouse.up();
        await page.getByRole('button', { name: 'Show the whole span of Throughput' }).click();
        await page.getByRole('button', { name: 'Zoom in to the end of Throughput' }).click();
        await page.getByRole('button', { name: 'Show the whole span of Throughput' }).waitFor();
        await page.end();
    });

    it('shows_times_in_utc_or_in_local_time', async () => {
        const page = await stage.page({ link: await stage.tokenLink('admin') });
        await page.to('#/audits');
        const first = () => page.locator('main time').first().innerText();
        assert.match(await first(), /Z$/);
        await page.getByRole('button', { name: /Times are in UTC/ }).click();
        await eventually(async () => /[+-]\d\d:\d\d$/.test(await first()), 'local time');
        await page.getByRole('button', { name: /Times are in local time/ }).click();
        await eventually(async () => /Z$/.test(await first()), 'UTC');
        await page.end();
    });
}
