import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, sql, worker } from '../stage.mjs';

/** Before any other test: the database is empty. */
export function firstLook(stage) {
    it('shows_three_lines_to_start_with_in_an_empty_database', async () => {
        const page = await stage.page();
        await page.locator('#quick-start').waitFor();
        assert.equal(await page.locator('#quick-start li').count(), 3);
        assert.match(await page.locator('#quick-start').innerText(), /postrider work --consumer[\s\S]*postrider publish/);
        await page.shoot('empty');
        await page.end();
    });
}

export function finding(stage) {
    it('jumps_from_the_search_box_to_a_message_or_dead_letter_by_id_key_and_trace', async () => {
        const search = await worker('search', 'search.it');
        const trace = 'abf92f3577b34da6a3ce929d0e0e4736';
        const [delivery] = await search.die(['{"n": 1}'], undefined, undefined,
            `, p_idempotency_key => 'invoice 77', p_trace_context => '00-${trace}-00f067aa0ba902b7-01'`);
        const id = await sql(`select id from postrider.dead_letters where delivery_id = ${delivery}`);
        const page = await stage.page();
        for (const [word, address] of [[id, `#/messages/${id}`], ['invoice 77', `#/messages/${id}`], [trace, `#/messages/${id}`],
            [delivery, `#/dead-letters/${delivery}`], ['no such key', '#/messages?q=no+such+key']]) {
            await page.to('#/handlers');
            await page.keyboard.press('/');
            await page.keyboard.type(word);
            await page.keyboard.press('Enter');
            await page.waitForURL((url) => url.hash === address);
            await page.ready();
            await page.locator('#word').fill('');
        }
        await page.end();
    });

    it('shows_the_progress_and_the_result_of_a_job', async () => {
        const tracked = await worker('tracked', 'tracked.it');
        const id = await sql(`select postrider.publish('report.due', p_channel => 'tracked');`);
        await sql(`select postrider.record_progress(:'worker', (select json_agg(json_build_object('lease', c.lease_id, 'token', c.lease_token,
            'seq', c.seq, 'id', c.id, 'handler', 'tracked.it', 'fraction', 0.4, 'text', 'page <b>4</b> of 10', 'result', json_build_object('rows', 17)))
            from postrider.claim(:'worker', 10) c));`, { worker: tracked.id });
        const page = await stage.page();
        await page.to(`#/messages/${id}`);
        const progress = page.getByRole('region', { name: 'Progress', exact: true });
        assert.match(await progress.innerText(), /tracked\.it[\s\S]*40 %[\s\S]*page <b>4<\/b> of 10/);
        assert.equal(await progress.getByRole('progressbar').getAttribute('value'), '0.4');
        await progress.getByText('Result').click();
        assert.match(await progress.locator('pre').innerText(), /"rows": 17/);
        // In the words of the command line: `postrider jobs show`.
        assert.equal(await page.locator('main .chip').first().innerText(), 'in flight');
        await page.shoot('progress');
        await page.end();
    });

    it('suggests_values_that_exist_for_a_filter', async () => {
        const hints = await worker('hints', 'hints.it');
        await hints.die(['{"n": 1}'], 'x', 'hint_class');
        const page = await stage.page();
        await page.to('#/dead-letters/list');
        for (const [label, value] of [['Handler', 'hints.it'], ['Consumer', 'hints'], ['Class', 'hint_class'], ['Type', 'order.placed']]) {
            const input = page.getByLabel(label, { exact: true });
            await input.focus();
            await eventually(() => input.evaluate((field, wanted) => [...field.list.options].some((option) => option.value === wanted), value), label);
        }
        await page.end();
    });

    it('jumps_by_time_in_a_search_that_has_no_index', async () => {
        await worker('jump', 'jump.it');
        await sql(`select postrider.publish_many((select jsonb_agg(jsonb_build_object('event_type', 'jump.me', 'source', 'shop', 'channel', 'jump'))
            from generate_series(1, 10000))) from generate_series(1, 6)`);
        const page = await stage.page();
        await page.to('#/messages?q=none+of+them&channel=jump');
        await page.getByRole('navigation', { name: 'Jump by time' }).getByRole('link', { name: 'a day ago' }).click();
        await page.waitForURL(/until=1d/);
        await page.ready();
        assert.match(await page.locator('main').innerText(), /No message matches/);
        assert.equal(await page.getByLabel('Until').inputValue(), '1d');
        await page.end();
        await sql(`delete from postrider.message where channel = 'jump'`);
    });

    it('needs_at_most_six_taps_from_the_link_of_an_alert_to_a_replay_with_a_canary', async () => {
        const taps = await worker('taps', 'taps.it');
        const [id] = await taps.die(Array.from({ length: 8 }, (_, n) => `{"n": ${n}}`));
        const page = await stage.page({ width: 360, height: 740 });
        await page.to(`#/dead-letters/${id}`);
        let count = 0;
        const tap = async (role, name) => {
            count += 1;
            await page.getByRole(role, { name }).click();
        };
        await tap('link', /7 others with this fingerprint/);
        await page.ready();
        await tap('link', 'Replay these …');
        await page.locator('#preview-total').waitFor();
        await tap('textbox', 'Reason, for the audit');
        await page.keyboard.type('the provider is back');
        await tap('button', 'Replay 8 dead letters …');
        await tap('button', 'Start the replay');
        await page.waitForURL(/#\/replays\/\d+/);
        const replay = /replays\/(\d+)/.exec(page.url())[1];
        assert.equal(await sql(`select canary || ' of ' || total from postrider.replays where replay = ${replay}`), '5 of 8');
        assert.ok(count <= 6, `${count} taps`);
        await page.end();
    });
}
