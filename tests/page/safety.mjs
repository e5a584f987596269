import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, sql, worker } from './stage.mjs';

const dead = (handler) => sql(`select count(*) from postrider.dead_letters where handler = '${handler}'`);

export function safety(stage) {
    it('replays_the_previewed_dead_letters_and_no_later_ones', async () => {
        const later = await worker('later', 'later.it');
        await later.die(['{"n": 1}', '{"n": 2}', '{"n": 3}']);
        const page = await stage.page();
        await page.to('#/replays/new?handler=later.it&canary=0&reason=fixed');
        assert.equal(await page.locator('#preview-total').innerText(), '3 dead letters');
        await later.die(['{"n": 4}', '{"n": 5}']);
        await page.getByRole('button', { name: 'Replay 3 dead letters' }).click();
        assert.match(await page.locator('dialog').innerText(), /Replay 3 dead letters\?/);
        await page.getByRole('button', { name: 'Start the replay' }).click();
        await page.waitForURL(/#\/replays\/\d+/);
        const id = /replays\/(\d+)/.exec(page.url())[1];
        assert.equal(await sql(`select total from postrider.replays where replay = ${id}`), '3');
        await page.end();
    });

    it('refuses_a_replay_of_more_than_the_preview_has_shown_and_previews_again', async () => {
        const grown = await worker('grown', 'grown.it');
        await grown.die(['{"n": 1}', '{"n": 2}']);
        const page = await stage.page();
        page.expectsFailures = true;
        await page.to('#/replays/new?handler=grown.it&canary=0&reason=fixed');
        await page.getByRole('button', { name: 'Replay 2 dead letters' }).click();
        // A transaction that began before the preview and is committed after it.
        await grown.die(['{"n": 3}']);
        await sql(`update postrider.delivery set dead_at = dead_at - interval '1 hour' where handler = 'grown.it'`);
        await page.getByRole('button', { name: 'Start the replay' }).click();
        await page.locator('dialog').getByText(/matches 3 dead letters, 2 were expected/).waitFor();
        assert.equal(await sql(`select count(*) from postrider.replays where filter ->> 'handler' = 'grown.it'`), '0');
        await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Replay 3 dead letters' }).waitFor();
        await page.end();
    });

    it('shows_how_many_a_filter_discards_and_takes_exactly_these_back', async () => {
        const bin = await worker('bin', 'bin.it');
        const [first] = await bin.die(['{"n": 1}', '{"n": 2}', '{"n": 3}', '{"n": 4}']);
        await sql(`select postrider.discard('{"deliveries": [${first}]}', 'ann', 'earlier')`);
        const page = await stage.page();
        await page.to('#/dead-letters/list?handler=bin.it');
        await page.getByRole('button', { name: 'Discard these' }).click();
        await page.getByRole('heading', { name: 'Discard 3 dead letters?' }).waitFor();
        await page.getByLabel('Reason').fill('test data');
        await page.getByRole('button', { name: 'Discard 3 dead letters' }).click();
        await eventually(async () => (await dead('bin.it')) === '0', 'they are discarded');
        await page.getByRole('button', { name: 'Undo' }).click();
        await eventually(async () => (await dead('bin.it')) === '3', 'they are back');
        await page.getByText('3 dead letters restored.').waitFor();
        assert.equal(await sql(`select deleted_at is not null from postrider.delivery where id = ${first}`), 't', 'the earlier one stays discarded');
        await page.end();
    });

    it('shows_the_cause_of_a_long_error_and_copies_all_of_it', async () => {
        const trace = `Traceback (most recent call last):\n${'  File "app.py", line 1, in run\n'.repeat(60)}ValueError: total must be a number`;
        const nested = 'charge failed: gateway\ncaused by: connect to 10.0.0.7: refused';
        const long = await worker('long', 'long.it');
        const [first] = await long.die(['{"n": 1}', '{"n": 2}'], (n) => [trace, nested][n], (n) => ['payload', 'connection'][n]);
        const page = await stage.page();
        for (const hash of ['#/dead-letters?consumer=long', '#/dead-letters/list?consumer=long']) {
            await page.to(hash);
            const text = await page.locator('main tbody').innerText();
            assert.match(text, /payload\s+ValueError: total must be a number/, hash);
            assert.match(text, /connection\s+connect to 10\.0\.0\.7: refused/, hash);
        }
        await page.to(`#/dead-letters/${first}`);
        await page.getByRole('button', { name: 'Copy the error' }).click();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), trace);
        await page.end();
    });

    it('names_the_actor_and_the_reason_of_a_pause_and_a_hold', async () => {
        await worker('whose', 'whose.it');
        await sql(`select postrider.pause_consumer('whose', true, 'whose', 'kim@ops', 'the mail server is down') \\g /dev/null
                   select postrider.hold_handler('whose', 'whose.it', 'pat@ops', 'it charges twice', 'whose');`);
        const page = await stage.page();
        await page.to('#/consumers?consumer=whose');
        assert.match(await page.locator('main tbody').innerText(), /by kim@ops[\s\S]*the mail server is down/);
        await page.to('#/handlers?handler=whose.it');
        assert.match(await page.locator('main tbody').innerText(), /by pat@ops: it charges twice/);
        await page.end();
    });
}
