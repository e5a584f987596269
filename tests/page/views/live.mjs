import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { Server, eventually, sql, worker } from '../stage.mjs';

export function live(stage) {
    it('shows_new_dead_letters_and_a_backlog_without_being_asked', async () => {
        const fresh = await worker('fresh', 'fresh.it');
        const page = await stage.page();
        await page.locator('#live.on').waitFor();
        const dead = async () => Number((await page.locator('.badge').count()) ? (await page.locator('.badge').innerText()).replaceAll(',', '') : 0);
        const before = Number(await sql('select count(*) from postrider.dead_letters'));
        await eventually(async () => (await dead()) === before, 'the number in the menu');
        await fresh.die(['{"n": 1}']);
        await eventually(async () => (await dead()) === before + 1, 'the new number');
        await page.end();
    });

    it('says_since_when_it_is_stale_and_recovers_when_the_server_is_back', async () => {
        const own = new Server();
        await own.start();
        const page = await stage.page({ link: own.link });
        page.expectsFailures = true;
        await page.locator('#live.on').waitFor();
        await page.to('#/consumers');
        await own.stop();
        await page.getByText(/^Not live since \d\d:\d\d:\d\d UTC: the server does not answer/).waitFor();
        assert.equal(await page.locator('#live').innerText(), 'Not live');
        assert.ok(await page.locator('main tbody tr').count() > 0, 'what was known is still shown');
        assert.match(await page.evaluate(() => getComputedStyle(document.querySelector('main')).filter), /grayscale/, 'nothing stays green');
        await page.mouse.wheel(0, 5000);
        assert.ok(await page.locator('#down').evaluate((banner) => banner.getBoundingClientRect().top >= 0), 'it stays in sight');
        await page.shoot('stale');
        const again = new Server();
        await again.start(own.url.port);
        // The new server has another token: the page says so and takes it.
        await page.getByLabel('Token').fill(new URLSearchParams(again.url.hash.slice(1)).get('token'));
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.locator('#live.on').waitFor({ timeout: 40000 });
        assert.equal(await page.locator('#down').isVisible(), false);
        assert.match(page.url(), /#\/consumers/, 'where it was');
        await page.end();
        await again.stop();
    });

    it('goes_live_again_when_another_token_is_used_after_a_refusal', async () => {
        const page = await stage.page({ link: await stage.tokenLink('operator', { more: ['--workspace', randomUUID()] }) });
        // The stream of figures is refused, and the browser writes that down.
        page.faults.length = 0;
        page.expectsFailures = true;
        await page.getByText('Not live', { exact: true }).waitFor();
        const follow = async (hash) => {
            await page.evaluate((to) => { location.hash = to; }, hash);
            await page.getByRole('button', { name: 'Replace my session' }).click();
        };
        const entered = page.waitForResponse((answer) => answer.url().endsWith('/live') && answer.ok());
        await follow(stage.server.url.hash);
        await entered;
        await page.locator('#live.on').waitFor();
        // And the other way round: what the first one may see is not for the second.
        await follow(new URL(await stage.tokenLink('operator', { more: ['--workspace', randomUUID()] })).hash);
        await page.getByText('Not live', { exact: true }).waitFor();
        assert.equal(await page.locator('.badge').count(), 0);
        await page.end();
    });

    it('recovers_by_itself_in_a_view_that_asks_for_nothing', async () => {
        const link = await stage.tokenLink('admin');
        const own = new Server();
        await own.start();
        const page = await stage.page({ link: link.replace(stage.server.origin, own.origin) });
        page.expectsFailures = true;
        await page.locator('#live.on').waitFor();
        await page.to('#/audits');
        await own.stop();
        await page.locator('#down').waitFor();
        const again = new Server();
        await again.start(own.url.port);
        await page.locator('#down').waitFor({ state: 'hidden' });
        await page.locator('#live.on').waitFor();
        assert.ok(await page.locator('main tbody tr').count() > 0, 'the same session');
        await page.end();
        await again.stop();
    });
}
