import assert from 'node:assert/strict';
import { it } from 'node:test';
import { quote, sql, worker } from './stage.mjs';

const corpus = [
    '<script>window.owned=1</script>', '<img src=x onerror="window.owned=1">', '"><svg/onload=window.owned=1>',
    "' onmouseover='window.owned=1' x='", 'javascript:window.owned=1', '</textarea></pre><iframe srcdoc="<script>top.owned=1</script>">',
    '<a href="javascript:window.owned=1">x</a>', '{{constructor.constructor("window.owned=1")()}}', '${window.owned=1}',
    '<style>*{display:none}</style>', '<base href="https://evil.example/">', '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<link rel=stylesheet href=https://evil.example/x.css>', '<form action=https://evil.example><button>', '__proto__', 'constructor',
    '%3Cscript%3Ewindow.owned=1%3C/script%3E', '&lt;script&gt;', '\u202egnp.exe\u202c \u200b\u2066\ufeff', '\u0007\u001b[2J\u009b31m',
    '../../../api/v1/replays', '#token=stolen', '//evil.example/x', '<math><mtext><script>window.owned=1</script>', 'e\u0301'.repeat(200),
    'W'.repeat(3000),
];

// Texts of rows that the page shows, and a number of the row that picks one of the corpus.
const columns = [
    ...['source', 'event_type', 'error_class', 'ordering_key', 'partition_key', 'content_class', 'trace_context', 'target']
        .map((name) => ['delivery', name, 'id']),
    ...['source', 'target', 'ordering_key', 'trace_context'].map((name) => ['message', name, 'seq']),
    ['worker', 'host', 'consumer_id'], ['worker', 'version', 'consumer_id'], ['circuit', 'last_error', 'consumer_id'],
    ...['reason', 'actor', 'action', 'role'].map((name) => ['audit', name, 'id']),
    ...['last_error', 'source', 'event_type', 'handler_name', 'error_class'].map((name) => ['alert', name, 'id']),
    ...['reason', 'actor', 'paused_reason'].map((name) => ['replay', name, 'id']), ['replay_item', 'note', 'number'],
    ['consumer', 'name', 'id'], ['handler', 'name', 'consumer_id'],
];

/** Dead letters of hostile texts; then every other text becomes hostile that the tables let become so. */
async function poison(consumer) {
    const bad = await worker(consumer, `${consumer}.it`);
    await bad.die(corpus.map((text) => JSON.stringify({ [text]: text, list: [text] })), (n) => `${corpus[n]} ${n}`, (n) => corpus[n].slice(0, 60),
        (n) => `, p_headers => ${quote(JSON.stringify({ [corpus[n]]: corpus[n] }))}, p_idempotency_key => ${quote(`${corpus[n].slice(0, 60)} ${n}`)}`);
    const all = corpus.slice(0, 24).map((text) => quote(text.slice(0, 190))).join(', ');
    const only = { consumer: `where name = 'evil'`, handler: `where name = 'evil.it'` };
    await worker('evil', 'evil.it');
    const changed = await sql(columns.map(([table, name, number]) => `
        do $poison$ begin
            update postrider.${table} set ${name} = (array[${all}])[1 + ${number}::bigint % 24] ${only[table] ?? ''};
            perform set_config('poison.count', (coalesce(nullif(current_setting('poison.count', true), ''), '0')::int + 1)::text, false);
        exception when others then null; -- names have a grammar that tables enforce
        end $poison$;`).join('\n') + `select current_setting('poison.count');`);
    assert.ok(Number(changed) > columns.length / 2, `${changed} of ${columns.length} columns took hostile texts`);
}

export function hostile(stage) {
    it('shows_hostile_texts_as_texts_everywhere_and_runs_none_of_them', async () => {
        await poison('hostile');
        const ids = (await sql(`select delivery_id from postrider.dead_letters where channel = 'hostile'`)).split('\n');
        const messages = (await sql(`select id from postrider.dead_letters where channel = 'hostile' limit 4`)).split('\n');
        const replay = await sql('select max(replay) from postrider.replays');
        // A separate token, because this number of views exceeds the rate limit of a shared one.
        const page = await stage.page({ link: await stage.tokenLink('admin') });
        const check = async (where) => {
            assert.equal(await page.evaluate(() => globalThis.owned), undefined, where);
            assert.equal(await page.locator('main :is(script, img, iframe, style, base, meta, link, object, embed)').count(), 0, where);
            const attributes = await page.evaluate(() => [...document.querySelectorAll('main *')].flatMap((element) =>
                [...element.attributes].filter(({ name, value }) => name.startsWith('on') || name === 'style' && element.tagName !== 'CANVAS' ||
                    name === 'href' && !/^#\//.test(value)).map(({ name, value }) => `${element.tagName} ${name}=${value}`)));
            assert.deepEqual(attributes, [], where);
        };
        for (const hash of ['#/', '#/dead-letters', '#/dead-letters/list?consumer=hostile', '#/dead-letters/discarded', '#/replays',
            `#/replays/${replay}`, '#/replays/new?consumer=hostile', '#/messages?channel=hostile', '#/deliveries?status=failed', '#/handlers', '#/consumers', '#/workers',
            '#/leases', '#/alerts', '#/retention', '#/audits', '#/unmatched']) {
            await page.to(hash);
            await check(hash);
        }
        for (const id of ids) {
            await page.to(`#/dead-letters/${id}`);
            await check(`dead letter ${id}`);
        }
        for (const id of ids.slice(0, 8)) {
            await page.to(`#/dead-letters/${id}`);
            await page.locator('#reveal').click();
            await page.locator('#text-payload').waitFor();
            await page.getByLabel('Find in payload').fill('owned');
            await check(`payload ${id}`);
        }
        for (const id of messages) {
            await page.to(`#/messages/${id}`);
            await check(`message ${id}`);
        }
        await page.to(`#/dead-letters/${ids[0]}/edit`);
        await page.locator('#reveal').click();
        await page.locator('textarea').first().waitFor();
        await check('edit');
        await page.shoot('hostile-edit');
        await page.to('#/dead-letters/list?consumer=hostile');
        await page.shoot('hostile');
        await page.end();
    });

    it('handles_hostile_urls', async () => {
        const page = await stage.page();
        page.expectsFailures = true;
        for (const text of corpus.slice(0, 20)) {
            await page.to(`#/dead-letters/list?handler=${encodeURIComponent(text)}&error=${encodeURIComponent(text)}&at=${encodeURIComponent(text)}`);
            await page.to(`#/messages/${encodeURIComponent(text)}`);
            await page.to(`#/${text.replaceAll('#', '')}`);
            assert.equal(await page.evaluate(() => globalThis.owned), undefined, text);
        }
        assert.equal(new URL(page.url()).origin, stage.server.origin);
        await page.end();
    });

    it('shows_invisible_and_bidi_characters_escaped', async () => {
        const bidi = await worker('bidi', 'bidi.it');
        const [id] = await bidi.die(['{}'], 'paid to \u202eexe.gpj\u202c\u200b');
        const page = await stage.page();
        await page.to(`#/dead-letters/${id}`);
        assert.match(await page.locator('.text.error').innerText(), /paid to U\+202Eexe\.gpjU\+202CU\+200B/);
        await page.end();
    });
}
