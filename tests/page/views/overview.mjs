import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, sql, worker } from '../stage.mjs';

const numbers = (cells) => cells.map((text) => Number(text.replaceAll(',', '')));

export function overview(stage) {
    it('shows_numbers_of_one_moment_that_agree_while_they_change', async () => {
        const busy = await worker('sums', 'sums.it');
        const page = await stage.page({ link: await stage.tokenLink('admin') });
        await page.locator('#live.on').waitFor();
        const look = () => page.evaluate(() => {
            const column = (label, title) => {
                const table = document.querySelector(`table[aria-label="${label}"]`);
                const at = [...table.querySelectorAll('th')].findIndex((th) => th.textContent === title);
                return [...table.querySelectorAll('tbody tr')].map((row) => row.children[at].textContent);
            };
            const tile = [...document.querySelectorAll('.figures div')].find((one) => one.firstChild.textContent === 'Dead letters');
            return { tile: tile.lastChild.textContent, badge: document.querySelector('.badge').firstChild.textContent,
                consumers: column('Consumers', 'Dead'), handlers: column('Handlers with problems', 'Dead'),
                sums: column('Top failures', 'Count') };
        });
        let changes = 0;
        let last = '';
        for (let n = 0; n < 2; n += 1) {
            await busy.die(['{"n": 1}', '{"n": 2}', '{"n": 3}']);
            await eventually(async () => (await look()).tile !== last, 'the next snapshot');
            const seen = await look();
            const total = numbers([seen.tile])[0];
            const sum = (list) => numbers(list).reduce((one, other) => one + other, 0);
            assert.equal(sum(seen.consumers), total, 'consumers');
            assert.equal(sum(seen.handlers), total, 'handlers');
            assert.equal(seen.badge, seen.tile, 'the menu');
            changes += Number(last !== seen.tile);
            last = seen.tile;
        }
        assert.equal(changes, 2);
        await page.end();
    });

    it('keeps_the_height_of_its_findings_while_they_come_and_go', async () => {
        await worker('calm', 'calm.it');
        const page = await stage.page({ link: await stage.tokenLink('admin') });
        const height = () => page.locator('.health').evaluate((box) => box.getBoundingClientRect().height);
        const before = await height();
        // A finding that passes: messages without a worker for a moment.
        await sql(`select postrider.create_consumer('calmly', 'calm') \\g /dev/null
                   select count(postrider.publish('calm.' || n, '{}', p_channel => 'calm')) from generate_series(1, 5) n;`);
        const at = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/overview')).length);
        const asked = await at();
        await eventually(async () => (await at()) > asked, 'a snapshot');
        assert.equal(await height(), before);
        await page.end();
    });
}
