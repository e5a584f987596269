import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, sql, worker } from '../stage.mjs';

export function replays(stage) {
    it('guides_a_replay_from_the_filter_to_the_outcome_with_failed_items', async () => {
        const mail = await worker('mail', 'mail.send');
        await mail.die(['{"n": 1}', '{"n": 2}', '{"n": 3}', '{"n": 4}', '{"n": 5}', '{"n": 6}']);
        const page = await stage.page();
        await page.to('#/replays/new');
        assert.match(await page.locator('main').innerText(), /Enter at least one condition/);
        await page.getByLabel('Handler').fill('mail.send');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.locator('#preview-total').waitFor();
        assert.equal(await page.locator('#preview-total').innerText(), '6 dead letters');
        assert.ok(await page.getByRole('table', { name: 'Samples' }).locator('tbody tr').count() >= 5);
        await page.getByLabel('Canary').fill('2');
        await page.getByLabel('Per second').fill('500');
        await page.getByLabel('Reason').fill('mail server is back');
        await page.shoot('new-replay');
        const link = page.url();
        assert.match(link, /handler=mail\.send/);
        assert.match(link, /canary=2/);
        await page.getByRole('button', { name: 'Replay 6 dead letters' }).click();
        assert.match(await page.locator('dialog').innerText(), /2 first; if one of those dies again, the other 4 wait for you/);
        await page.getByRole('button', { name: 'Start the replay' }).click();
        await page.waitForURL(/#\/replays\/\d+/);
        const id = /replays\/(\d+)/.exec(page.url())[1];
        assert.equal(await sql(`select canary || ' ' || rate || ' ' || reason || ' ' || (filter ->> 'handler') from postrider.replays where replay = ${id}`),
            '2 500 mail server is back mail.send');
        await mail.runDue(6, (n) => (n === 4 ? 'terminal' : 'delivered'));
        await page.getByText('It has finished').waitFor();
        assert.match(await page.locator('#summary').innerText(), /5 delivered, 1 died again/);
        await page.getByRole('row', { name: /still no answer/ }).waitFor();
        assert.match(await page.locator('.facts').innerText(), /2 items: passed/);
        await page.getByRole('link', { name: 'Replay the 1 item that died' }).click();
        await page.locator('#preview-total').waitFor();
        assert.equal(await page.locator('#preview-total').innerText(), '1 dead letter');
        await page.getByLabel('Reason').fill('once more');
        await page.getByRole('button', { name: 'Replay 1 dead letter' }).click();
        await page.getByRole('button', { name: 'Start the replay' }).click();
        await page.waitForURL((url) => /#\/replays\/\d+/.test(url.hash) && !url.hash.endsWith(`/${id}`));
        await mail.runDue(1);
        await page.getByText('It has finished').waitFor();
        // The first replay still says why the item died in it, and has no link to a dead letter that is none.
        await page.to(`#/replays/${id}`);
        assert.match(await page.getByRole('row', { name: /died again/ }).innerText(), /still no answer/);
        assert.equal(await page.getByRole('row', { name: /died again/ }).getByRole('link').count(), 1, 'the message');
        await page.shoot('replay-finished');
        await page.end();
    });

    it('pauses_when_a_canary_dies_again_and_the_rest_is_cancelled_or_resumed_by_a_person', async () => {
        const again = await worker('again', 'again.it');
        await again.die(['{"n": 1}', '{"n": 2}', '{"n": 3}']);
        const page = await stage.page();
        const start = async () => {
            await page.to('#/replays/new?handler=again.it&canary=1&reason=try');
            await page.getByRole('button', { name: /Replay \d dead letters/ }).click();
            await page.getByRole('button', { name: 'Start the replay' }).click();
            await page.waitForURL(/#\/replays\/\d+/);
            await page.ready();
            return /replays\/(\d+)/.exec(page.url())[1];
        };
        const phase = (id) => sql(`select phase from postrider.replays where replay = ${id}`);
        const first = await start();
        await again.runDue(1, () => 'terminal');
        await page.getByText('a canary died again').waitFor();
        assert.match(await page.locator('.facts').innerText(), /1 item: failed/);
        assert.match(await page.locator('#step-cancel').getAttribute('class'), /main/, 'the safe step is the first choice');
        assert.match(await page.locator('#step-anyway').getAttribute('class'), /danger/);
        await page.locator('#step-cancel').click();
        assert.match(await page.locator('dialog').innerText(), /2 waiting items will stay dead/);
        await page.getByLabel('Reason').fill('not yet');
        await page.locator('dialog').getByRole('button', { name: 'Cancel the rest' }).click();
        await page.getByText('It was cancelled').waitFor();
        assert.equal(await phase(first), 'cancelled');

        const second = await start();
        await page.locator('#step-pause').click();
        await page.getByLabel('Reason').fill('wait for the fix');
        await page.locator('dialog').getByRole('button', { name: 'Pause' }).click();
        await page.getByText('wait for the fix').first().waitFor();
        assert.equal(await phase(second), 'paused');
        await page.keyboard.press('r');
        await page.getByLabel('Reason').fill('fixed');
        await page.locator('dialog').getByRole('button', { name: 'Resume' }).click();
        await eventually(async () => (await phase(second)) !== 'paused', 'it goes on');
        await again.runDue(3);
        await page.getByText('It has finished').waitFor();
        await page.end();
    });

    it('replays_one_dead_letter_from_where_it_is_shown', async () => {
        const one = await worker('one', 'one.it');
        const [id] = await one.die(['{"n": 1}']);
        const page = await stage.page();
        await page.to(`#/dead-letters/${id}`);
        await page.keyboard.press('r');
        await page.getByLabel('Reason').fill('it was down');
        await page.getByRole('button', { name: 'Replay it' }).click();
        await page.waitForURL(/#\/replays\/\d+/);
        await one.runDue(1);
        await page.getByText('It has finished').waitFor();
        assert.equal(await sql(`select status from postrider.delivery where id = ${id}`), 'delivered');
        await page.end();
    });
}
