import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, sql, worker } from '../stage.mjs';

const stack = ['TypeError: cannot read price of undefined', '    at total (/app/cart.js:12:7)', '    at Object.<anonymous> (/app/<b>main</b>.js:3:1)'].join('\n');

export function groups(stage) {
    it('shows_a_group_with_its_trend_its_stack_and_the_common_fields_of_its_payloads', async () => {
        const made = await worker('gifts', 'gifts.it');
        await made.die(['{"country": "DE", "n": 1}', '{"country": "DE", "n": 2}', '{"country": "DE", "n": 3}'], stack, 'type_error');
        const page = await stage.page({ link: await stage.tokenLink('operator') });
        await page.to('#/dead-letters?handler=gifts.it');
        await page.getByRole('link', { name: 'Group of gifts.it' }).click();
        await page.ready();
        assert.match(page.url(), /#\/dead-letters\/group\/gifts\/gifts\.it\/[0-9a-f]{32}\?channel=gifts$/);
        await page.getByRole('heading', { name: '3 dead letters of one cause' }).waitFor();
        assert.match(await page.locator('main strong').first().innerText(), /TypeError: cannot read price/);
        await page.getByRole('button', { name: 'Copy the error' }).click();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), stack);
        assert.match(await page.locator('canvas').getAttribute('aria-label'), /Deaths: died: last 3/);
        assert.match(await page.locator('main').innerText(), /3 deaths in this span/);
        await page.getByRole('button', { name: 'Compare' }).click();
        assert.match(await page.getByRole('table', { name: 'Shared fields' }).innerText(), /country\s+DE/);
        assert.match(await page.getByRole('table', { name: 'Differing fields' }).innerText(), /n\s+3 of 3\s+3\s+1, 2, 3/);
        assert.equal(await sql(`select count(*) from postrider.audits where action = 'reveal' and reason like 'compared%'`), '1');
        assert.equal(await page.getByRole('link', { name: 'Replay all 3 …' }).getAttribute('href').then((href) => href.startsWith('#/replays/new?')), true);
        await page.getByRole('button', { name: 'Discard all 3 …' }).click();
        await page.getByLabel('Reason').fill('a test');
        page.expectsFailures = true;  // the page may ask once more for the group, which is gone
        await page.locator('dialog').getByRole('button', { name: 'Discard 3 dead letters' }).click();
        await eventually(async () => (await sql(`select count(*) from postrider.dead_letters where handler = 'gifts.it'`)) === '0', 'they are discarded');
        await page.end();
    });

    it('compares_no_payloads_for_a_viewer', async () => {
        const made = await worker('secret', 'secret.it');
        await made.die(['{"n": 1}']);
        const page = await stage.page({ link: await stage.tokenLink('viewer') });
        const print = await sql(`select fingerprint from postrider.dead_letters where handler = 'secret.it'`);
        await page.to(`#/dead-letters/group/secret/secret.it/${print}?channel=secret`);
        assert.match(await page.locator('main').innerText(), /this token is a viewer’s/);
        assert.equal(await page.getByRole('button', { name: 'Compare' }).count(), 0);
        assert.equal(await page.getByRole('button', { name: /Discard all/ }).count(), 0);
        await page.end();
    });

    it('shows_every_failed_attempt_with_error_duration_and_worker', async () => {
        const made = await worker('tries', 'tries.it', { max_attempts: 2, retry: { curve: 'immediate' } });
        await sql(`select postrider.publish('order.placed', '{}', p_channel => 'tries') \\g /dev/null
            select count(postrider.settle('${made.id}', c.lease_id, c.lease_token, p_failures => jsonb_build_array(jsonb_build_object(
                'seq', c.seq, 'outcome', 'transient', 'error', 'no answer', 'error_class', 'timeout', 'duration_ms', 1250))))
            from postrider.claim('${made.id}', 1) c;`);
        await made.runDue(1, () => 'transient');
        const id = await sql(`select delivery_id from postrider.dead_letters where handler = 'tries.it'`);
        const page = await stage.page();
        await page.to(`#/dead-letters/${id}`);
        const lines = await page.getByRole('table', { name: 'Attempts' }).locator('tbody tr').allInnerTexts();
        assert.equal(lines.length, 2);
        assert.match(lines[0], new RegExp(`^1\\s[\\s\\S]*transient failure\\s+1\\.\\d s\\s+${made.id.slice(0, 8)}\\s+timeout\\s+no answer`));
        assert.match(lines[1], /still no answer/);
        await page.end();
    });
}
