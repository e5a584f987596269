import assert from 'node:assert/strict';
import { it } from 'node:test';
import { everyView } from './reach.mjs';
import { pictures, worker } from '../stage.mjs';

/** Links, buttons and fields of the view that are cut off, outside the screen, or covered by another element. */
function unreachable() {
    const width = document.documentElement.clientWidth;
    const found = [];
    for (const scroll of document.querySelectorAll('main .scroll')) {
        if (scroll.scrollWidth > scroll.clientWidth + 1) {
            found.push(`${scroll.querySelector('table').getAttribute('aria-label')} is ${scroll.scrollWidth - scroll.clientWidth} px too wide`);
        }
    }
    const closed = (element) => element.closest('[hidden]') || element.closest('details:not([open])') && !element.closest('summary');
    for (const element of [...document.querySelectorAll('main :is(a, button, input, select, textarea)')].filter((one) => !closed(one)).slice(0, 40)) {
        element.scrollIntoView({ block: 'center' });
        const name = element.getAttribute('aria-label') ?? element.textContent ?? element.name;
        const [box] = element.getClientRects();
        if (!box || box.width < 5 || box.height < 5) {
            found.push(`${element.tagName} ${name} has no size`);
            continue;
        }
        if (box.left < 0 || box.right > width + 1) {
            found.push(`${element.tagName} ${name} is outside: ${box.left} to ${box.right} of ${width}`);
        }
        const hit = document.elementFromPoint(box.left + Math.min(box.width / 2, 40), box.top + box.height / 2);
        if (hit && !element.contains(hit) && !hit.contains(element)) {
            found.push(`${element.tagName} ${name} is covered by ${hit.tagName} ${hit.className}`);
        }
    }
    const over = document.documentElement.scrollWidth - innerWidth;
    return over > 0 ? [...found, `the page is ${over} px too wide`] : found;
}

export function layout(stage) {
    for (const [width, height] of [[360, 740], [768, 1024], [1024, 768], [1440, 900]]) {
        it(`cuts_nothing_off_and_covers_nothing_at_${width}_pixels_in_every_view`, async () => {
            const page = await stage.page({ width, height, link: await stage.tokenLink('admin') });
            for (const [name, hash] of Object.entries(await everyView())) {
                await page.to(hash);
                assert.deepEqual(await page.evaluate(unreachable), [], `${name} at ${width}`);
                await page.evaluate(() => scrollTo(0, 0));
                for (const colorScheme of pictures ? ['dark', 'light'] : []) {
                    await page.emulateMedia({ colorScheme });
                    await page.shoot(`${name}-${width}-${colorScheme}`, false);
                }
            }
            await page.end();
        });
    }

    it('lets_a_finger_choose_and_open_the_first_card_of_a_list', async () => {
        const finger = await worker('finger', 'finger.it');
        const [id] = (await finger.die(['{"n": 1}', '{"n": 2}'])).slice(-1);
        const page = await stage.page({ width: 360, height: 740 });
        await page.to('#/dead-letters/list?handler=finger.it');
        const box = page.getByLabel(`Choose ${id}`);
        assert.ok((await box.boundingBox()).width >= 24, 'large enough for a finger');
        await box.click();
        await page.getByText('1 chosen').waitFor();
        await page.getByRole('link', { name: id, exact: true }).click();
        await page.waitForURL(new RegExp(`#/dead-letters/${id}$`));
        await page.end();
    });

    it('hides_the_menu_behind_a_button_on_a_tablet', async () => {
        const page = await stage.page({ width: 768, height: 1024 });
        assert.equal(await page.locator('#nav').isVisible(), false);
        await page.getByRole('button', { name: 'Menu' }).click();
        assert.equal(await page.locator('#nav').isVisible(), true);
        await page.end();
    });
}
