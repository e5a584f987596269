import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { Server, eventually, sql, worker } from './stage.mjs';

export function keeping(stage) {
    it('saves_a_filter_in_the_browser_and_forgets_it', async () => {
        await (await worker('keep', 'keep.it')).die(['{"n": 1}']);
        const page = await stage.page();
        await page.to('#/dead-letters/list?handler=keep.it');
        await page.getByRole('button', { name: 'Save this filter …' }).click();
        await page.getByLabel('Name').fill('the <b>kept</b>');
        await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
        await page.to('#/dead-letters/list');
        await page.getByRole('link', { name: 'the <b>kept</b>' }).click();
        await page.ready();
        assert.match(page.url(), /handler=keep\.it/);
        await page.getByRole('button', { name: 'Forget the filter the <b>kept</b>' }).click();
        await eventually(async () => (await page.getByRole('link', { name: 'the <b>kept</b>' }).count()) === 0, 'it is forgotten');
        await page.end();
    });

    it('chooses_a_page_and_goes_back_to_all_of_the_filter', async () => {
        await (await worker('chosen', 'chosen.it')).die(['{"n": 1}', '{"n": 2}', '{"n": 3}']);
        const page = await stage.page();
        await page.to('#/dead-letters/list?handler=chosen.it');
        await page.getByRole('button', { name: 'Choose this page' }).click();
        await page.getByText('3 chosen').waitFor();
        await page.getByRole('link', { name: 'Replay 3 …' }).waitFor();
        await page.getByRole('button', { name: 'All of this filter instead' }).click();
        await page.getByRole('link', { name: 'Replay these …' }).waitFor();
        assert.equal(await page.locator('main td.check input:checked').count(), 0);
        await page.end();
    });

    it('exports_all_that_match_as_json_lines_and_csv', async () => {
        const made = await worker('exported', 'exported.it');
        await made.die(Array.from({ length: 3 }, (_, n) => `{"n": ${n}}`), (n) => (n === 0 ? '=HYPERLINK("x"), with a comma' : `broke\nat line ${n}`), 'export');
        const page = await stage.page();
        await page.to('#/dead-letters/list?handler=exported.it');
        const save = async (name) => {
            const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('group', { name: 'Export' }).getByRole('button', { name }).click()]);
            return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
        };
        const [name, text] = await save('JSON lines');
        assert.equal(name, 'dead-letters.jsonl');
        const rows = text.trim().split('\n').map((line) => JSON.parse(line));
        assert.equal(rows.length, 3);
        assert.ok(rows.every((row) => row.handler === 'exported.it' && row.error_class === 'export'));
        const [, csv] = await save('CSV');
        assert.match(csv, /^delivery_id,id,consumer,[\s\S]*last_error\r\n/);
        assert.match(csv, /"'=HYPERLINK\(""x""\), with a comma"/, 'no formula');
        await page.end();
    });

    it('tails_messages_until_it_is_paused', async () => {
        await worker('tail', 'tail.it');
        const publish = (type) => sql(`select postrider.publish('${type}', '{}', p_channel => 'tail');`);
        await publish('tail.first');
        const page = await stage.page();
        await page.to('#/messages?channel=tail');
        await page.getByRole('link', { name: 'Live tail' }).click();
        await page.ready();
        await publish('tail.second');
        await page.getByText('tail.second').waitFor();
        await page.getByRole('link', { name: 'Pause' }).click();
        await page.ready();
        await page.getByRole('link', { name: 'Live tail' }).waitFor();
        await page.end();
    });

    it('links_a_trace_to_the_program_that_shows_traces', async () => {
        const trace = 'cbf92f3577b34da6a3ce929d0e0e4736';
        const [id] = await (await worker('traced', 'traced.it')).die(['{}'], undefined, undefined, `, p_trace_context => '00-${trace}-00f067aa0ba902b7-01'`);
        const server = new Server();
        await server.start(0, ['--trace-link', 'https://traces.example.com/trace/{trace}?x=1']);
        const page = await stage.page({ link: server.link });
        await page.to(`#/dead-letters/${id}`);
        const link = page.getByRole('link', { name: 'open the trace' });
        assert.equal(await link.getAttribute('href'), `https://traces.example.com/trace/${trace}?x=1`);
        assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
        await page.end();
        await server.stop();
    });
}
