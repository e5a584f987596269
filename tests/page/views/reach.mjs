import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { runs } from './history.mjs';
import { brokers, jobSet, throttled } from './places.mjs';
import { uniqueJobs } from '../changes/plans.mjs';
import { nightly } from './schedules.mjs';
import { artefacts, axeSource, sql, worker } from '../stage.mjs';

/** Every view, with something in it: made once for all tests that visit them. */
export const everyView = () => (everyView.made ??= makeEveryView());

async function makeEveryView() {
    const seen = await worker('seen', 'seen.it');
    const [id] = await seen.die(['{"n": 1}']);
    await runs(seen);
    await nightly('nightly.seen');
    await throttled('slow');
    await brokers();
    await jobSet('import:seen');
    await uniqueJobs('unique');
    const replay = await sql(`select coalesce(max(replay), 0) from postrider.replays`);
    const message = await sql(`select id from postrider.dead_letters where delivery_id = ${id}`);
    const print = await sql(`select fingerprint from postrider.dead_letters where delivery_id = ${id}`);
    return { overview: '#/', groups: '#/dead-letters', group: `#/dead-letters/group/seen/seen.it/${print}?channel=seen`, list: '#/dead-letters/list', discarded: '#/dead-letters/discarded',
        'dead-letter': `#/dead-letters/${id}`, edit: `#/dead-letters/${id}/edit`, replays: '#/replays',
        'new-replay': '#/replays/new?handler=seen.it', ...(replay === '0' ? {} : { replay: `#/replays/${replay}` }),
        messages: '#/messages', message: `#/messages/${message}`, deliveries: '#/deliveries', handlers: '#/handlers', handler: '#/handlers/seen/seen.it?channel=seen', consumers: '#/consumers',
        workers: '#/workers', leases: '#/leases', 'blocked-keys': '#/blocked-keys', 'unique-keys': '#/unique-keys', alerts: '#/alerts', retention: '#/retention', audits: '#/audits',
        schedules: '#/schedules', limits: '#/limits', brokers: '#/brokers', sets: '#/sets', unmatched: '#/unmatched', doctor: '#/doctor' };
}

/** Colours are audited in both schemes, all else once: it is the same document. */
async function audit(page, name, scheme) {
    const found = await page.evaluate(async (only) => {
        const result = await globalThis.axe.run(document, { resultTypes: ['violations'], ...only });
        return result.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    }, scheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {});
    assert.deepEqual(found, [], `${scheme} ${name}`);
}

export function reach(stage) {
    for (const scheme of ['light', 'dark']) {
        it(`passes_the_audit_of_axe_in_every_view_${scheme}`, async () => {
            const page = await stage.page({ scheme });
            // As a value of the debugger, not as a script of the page: its policy allows none.
            await page.evaluate(await readFile(axeSource, 'utf8'));
            for (const [name, hash] of Object.entries(await everyView())) {
                await page.to(hash);
                await audit(page, name, scheme);
                await page.shoot(`${name}-${scheme}`);
            }
            await page.to('#/');
            await page.keyboard.press('?');
            await audit(page, 'help', scheme);
            await page.keyboard.press('Escape');
            await page.getByRole('button', { name: 'Sign out' }).click();
            await page.getByLabel('Token').waitFor();
            await audit(page, 'sign-in', scheme);
            // The stream of a session that has ended is refused, and the browser writes that down.
            page.faults.length = 0;
            page.expectsFailures = true;
            await page.end();
        });
    }

    it('reaches_every_view_with_the_menu_of_a_phone', async () => {
        const page = await stage.page({ width: 360, height: 740 });
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.locator('#nav').getByRole('link', { name: 'Dead letters' }).click();
        await page.ready();
        assert.match(page.url(), /#\/dead-letters$/);
        await page.end();
    });

    it('is_led_by_the_keyboard_alone', async () => {
        const keys = await worker('keys', 'keys.it');
        const ids = await keys.die(['{"n": 1}', '{"n": 2}']);
        const page = await stage.page();
        await page.keyboard.press('g');
        await page.keyboard.press('d');
        await page.waitForURL(/#\/dead-letters/);
        await page.ready();
        await page.keyboard.press('/');
        await page.waitForFunction(() => document.activeElement.id === 'word');
        await page.keyboard.press('Escape');
        await page.keyboard.press('f');
        await page.waitForFunction(() => document.activeElement.name === 'consumer');
        await page.keyboard.type('keys');
        await page.keyboard.press('Enter');
        await page.waitForURL(/consumer=keys/);
        await page.ready();
        await page.keyboard.press('j');
        await page.keyboard.press('Enter');
        await page.waitForURL(/#\/dead-letters\/list/);
        await page.ready();
        await page.keyboard.press('j');
        await page.keyboard.press('j');
        await page.waitForURL(new RegExp(`at=${ids[0]}|at=${ids[1]}`));
        await page.keyboard.press('k');
        const at = /at=(\d+)/.exec(page.url())[1];
        await page.keyboard.press('x');
        await page.getByText('1 chosen').waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(new RegExp(`#/dead-letters/${at}`));
        await page.ready();
        await page.keyboard.press('u');
        await page.waitForURL(new RegExp(`at=${at}`));
        await page.ready();
        assert.equal(await page.locator('tr.current').getAttribute('data-row'), at, 'back at the row that was left');
        await page.keyboard.press('?');
        assert.match(await page.locator('dialog').innerText(), /Next row/);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
        await page.end();
    });

    it('keeps_the_token_out_of_the_url_and_the_chosen_theme', async () => {
        const page = await stage.page({ scheme: 'light' });
        assert.doesNotMatch(page.url(), /token/);
        assert.doesNotMatch(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])), /prt_/);
        const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const light = await ground();
        await page.getByRole('button', { name: 'Dark' }).click();
        assert.notEqual(await ground(), light);
        await page.reload();
        await page.ready();
        assert.notEqual(await ground(), light, 'after a reload too');
        await page.end();
    });

    it('weighs_at_most_440_kib_with_everything_it_loads', async () => {
        const page = await stage.page();
        await page.waitForFunction(() => Boolean(globalThis.Chart));
        const sizes = await page.evaluate(async () => {
            const names = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/'));
            const bodies = await Promise.all([location.origin + '/', ...new Set(names)].map(async (name) =>
                [new URL(name).pathname, (await (await fetch(name)).arrayBuffer()).byteLength]));
            return Object.fromEntries(bodies);
        });
        const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
        await writeFile(path.join(artefacts, 'weight.json'), JSON.stringify({ total, sizes }, null, 4));
        const size = (file) => Object.entries(sizes).find(([name]) => name.endsWith(`/${file}`))?.[1];
        assert.ok(size('chart.js') > 100000 && size('main.js') > 0 && size('views.js') > 0, JSON.stringify(sizes));
        assert.ok(total <= 440 * 1024, `${total} bytes`);
        console.log(`# the page weighs ${Math.round(total / 1024)} KiB`);
        await page.end();
    });
}
