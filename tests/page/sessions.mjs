import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, worker } from './stage.mjs';

const tokenOf = (link) => decodeURIComponent(new URLSearchParams(new URL(link).hash.slice(1)).get('token'));
const signedIn = (page) => page.waitForFunction(() => document.querySelector('main[aria-busy="false"] h1') && !document.querySelector('input[name="token"]'));

export function sessions(stage) {
    it('needs_two_files_before_it_shows_something_and_the_other_views_and_the_library_for_charts_afterwards', async () => {
        const page = await stage.page();
        await eventually(() => page.evaluate(() => Boolean(globalThis.Chart)), 'the library');
        const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/')));
        assert.deepEqual(asked.map((name) => name.split('/').at(-1)).sort(), ['chart.js', 'main.js', 'page.css', 'views.js']);
        assert.deepEqual(asked.slice(0, 2).map((name) => name.split('/').at(-1)).sort(), ['main.js', 'page.css']);
        await page.end();
    });

    it('asks_for_the_script_of_the_other_views_early_and_once_when_a_link_leads_to_one', async () => {
        const page = await stage.page();
        const tab = await page.context().newPage();
        await tab.goto(`${stage.server.origin}/#/workers`);
        await tab.getByRole('heading', { name: 'Workers' }).waitFor();
        const [early, asked] = await tab.evaluate(() => [document.querySelectorAll('link[rel="modulepreload"][href$="/views.js"]').length,
            performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/views.js')).length]);
        assert.deepEqual({ early, asked }, { early: 1, asked: 1 });
        await page.end();
    });

    it('reads_the_page_again_on_request_when_the_script_of_the_other_views_was_broken', async () => {
        const page = await stage.page();
        const tab = await page.context().newPage();
        // A browser keeps such a script, and does not ask for it again.
        await tab.route('**/views.js', (route) => route.fulfill({ contentType: 'text/javascript', body: 'import {' }));
        await tab.goto(`${stage.server.origin}/#/workers`);
        await tab.getByRole('heading', { name: 'This could not be shown' }).waitFor();
        await tab.unroute('**/views.js');
        await tab.getByRole('button', { name: 'Try again' }).click();
        await tab.getByRole('heading', { name: 'Workers' }).waitFor();
        await page.end();
    });

    it('shows_its_frame_when_the_first_view_takes_long', async () => {
        const page = await stage.page();
        const tab = await page.context().newPage();
        const held = [];
        await tab.route('**/api/v1/overview*', (route) => held.push(route));
        await tab.goto(`${stage.server.origin}/`);
        await tab.getByText('Loading …').waitFor();
        assert.ok(await tab.locator('header .brand').isVisible());
        await Promise.all(held.map((route) => route.continue()));
        await tab.getByRole('heading', { name: 'Overview' }).waitFor();
        await page.end();
    });

    it('asks_for_nothing_twice_when_it_opens', async () => {
        const page = await stage.page();
        const tab = await page.context().newPage();
        const asked = [];
        tab.on('request', (request) => asked.push(new URL(request.url()).pathname));
        await tab.goto(`${stage.server.origin}/`);
        await tab.locator('#live.on').waitFor();
        const api = asked.filter((name) => name.startsWith('/api/')).sort();
        assert.deepEqual(api, ['/api/v1/history', '/api/v1/live', '/api/v1/me', '/api/v1/overview']);
        await page.end();
    });

    it('begins_no_request_for_figures_of_the_whole_with_a_token_of_one_workspace', async () => {
        const link = await stage.tokenLink('operator', { more: ['--workspace', '7d444840-9dc0-11d1-b245-5ffdce74fad2'] });
        const page = await stage.page({ link });
        const tab = await page.context().newPage();
        const asked = [];
        tab.on('request', (request) => asked.push(new URL(request.url()).pathname));
        await tab.goto(`${stage.server.origin}/`);
        await signedIn(tab);
        assert.ok(asked.includes('/api/v1/me') && !asked.includes('/api/v1/overview'), asked.join(' '));
        page.expectsFailures = true;
        page.faults.length = 0;
        await page.end();
    });

    it('signs_in_once_for_all_tabs_and_deep_links_of_the_browser', async () => {
        const deep = await worker('deep', 'deep.it');
        const [id] = await deep.die(['{"n": 1}']);
        const link = await stage.tokenLink('operator');
        const page = await stage.page({ link: `${stage.server.origin}/#/dead-letters/${id}&token=${encodeURIComponent(tokenOf(link))}` });
        assert.match(page.url(), new RegExp(`/#/dead-letters/${id}$`), 'the link keeps its path');
        await page.getByRole('heading', { name: `Dead letter ${id}` }).waitFor();

        const tab = await page.context().newPage();
        await tab.goto(`${stage.server.origin}/#/dead-letters/list?handler=deep.it`);
        await signedIn(tab);
        assert.equal(await tab.locator('main tbody tr').count(), 1, 'another tab needs no token');

        const [opened] = await Promise.all([page.context().waitForEvent('page'),
            tab.getByRole('link', { name: id, exact: true }).click({ modifiers: ['Control'] })]);
        await opened.getByRole('heading', { name: `Dead letter ${id}` }).waitFor();

        await page.getByRole('button', { name: 'Sign out' }).click();
        for (const one of [page, tab, opened]) {
            await one.getByLabel('Token').waitFor();
        }
        assert.deepEqual(await page.context().cookies(), []);
        page.faults.length = 0;
        page.expectsFailures = true;
        await page.end();
    });

    it('asks_before_the_token_of_a_link_replaces_the_session_of_the_browser', async () => {
        const page = await stage.page();
        const name = () => page.locator('#who').textContent();
        const before = await name();
        const strange = await stage.tokenLink('viewer', { name: 'stranger' });
        const follow = () => page.evaluate((hash) => { location.hash = hash; }, new URL(strange).hash);

        await follow();
        const dialog = page.getByRole('dialog', { name: 'Sign in with the token of this link?' });
        await dialog.waitFor();
        assert.equal(page.url().includes('token='), false, 'the token is not in the address');
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await signedIn(page);
        assert.equal(await name(), before, 'the session is that of before');

        await follow();
        await dialog.getByRole('button', { name: 'Replace my session' }).click();
        await page.waitForFunction(() => document.getElementById('who').textContent.includes('stranger'));
        await page.end();
    });

    it('says_that_a_token_is_wrong_and_opens_the_address_after_the_right_one', async () => {
        const page = await stage.page({ link: `${stage.server.origin}/#/handlers&token=prt_wrong` });
        page.faults.length = 0;
        page.expectsFailures = true;
        await page.getByRole('alert').getByText('the token is unknown, expired or revoked').waitFor();
        // The form says so also when it is shown again.
        await page.evaluate(() => {
            document.querySelector('main form').dataset.first = '';
            globalThis.dispatchEvent(new HashChangeEvent('hashchange'));
        });
        await page.locator('main form:not([data-first])').waitFor();
        await page.getByRole('alert').getByText('the token is unknown, expired or revoked').waitFor({ timeout: 2000 });
        await page.getByLabel('Token').fill('prt_wrong_again');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').getByText('the token is unknown, expired or revoked').waitFor();
        await page.getByLabel('Token').fill(tokenOf(stage.server.link));
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: 'Handlers' }).waitFor();
        await page.end();
    });

    it('says_that_a_token_is_wrong_also_when_the_views_load_after_its_refusal', async () => {
        const page = await stage.page({ link: stage.server.origin });
        page.faults.length = 0;
        page.expectsFailures = true;
        await page.goto('about:blank');
        const refused = page.waitForResponse((response) => response.url().endsWith('/api/v1/session') && response.status() === 401);
        await page.route(/views[^/]*[.]js/, async (route) => {
            await refused;
            await route.continue();
        });
        await page.goto(`${stage.server.origin}/#/handlers&token=prt_wrong`);
        await page.getByRole('alert').getByText('the token is unknown, expired or revoked').waitFor({ timeout: 5000 });
        await page.end();
    });

    it('keeps_a_cookie_that_scripts_and_other_sites_cannot_use', async () => {
        const page = await stage.page();
        const [cookie, ...others] = await page.context().cookies();
        assert.deepEqual(others, []);
        assert.deepEqual([cookie.name, cookie.httpOnly, cookie.sameSite, cookie.path], [`postrider-${stage.server.url.port}`, true, 'Strict', '/']);
        assert.equal(cookie.value.includes('prt_'), false);
        const ask = (headers) => fetch(`${stage.server.origin}/api/v1/me`, { headers: { cookie: `${cookie.name}=${cookie.value}`, ...headers } });
        assert.equal((await ask({})).status, 401, 'the cookie alone is not enough: another port of this host receives it, too');
        const key = await page.evaluate(() => localStorage.getItem('postrider.session'));
        assert.equal((await ask({ 'x-postrider-session': key })).status, 200);
        assert.equal((await ask({ 'x-postrider-session': key, 'sec-fetch-site': 'same-site' })).status, 403);
        await page.end();
    });

    it('takes_the_files_of_the_page_from_the_cache_of_the_browser', async () => {
        const page = await stage.page();
        const tab = await page.context().newPage();
        await tab.goto(`${stage.server.origin}/#/handlers`);
        await signedIn(tab);
        const files = await eventually(() => tab.evaluate(() => {
            const found = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'));
            return found.length >= 2 && found.map(({ name, transferSize }) => [name, transferSize]);
        }), 'the files');
        assert.deepEqual(files.filter(([, bytes]) => bytes > 0), []);
        await page.end();
    });
}
