// open_page.mjs <link> <rounds>: opens the page in Chromium as an operator does: by a link with a token in a browser that has nothing of
// it yet (cold), then in a second tab of the same browser (warm). Writes for each round "cold <ms>" and "warm <ms> <requests>": the
// milliseconds from navigation until the overview is painted, and the requests that reached the server until figures are live.
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(`${process.env.POSTRIDER_TEST_PAGE_MODULES}/`);
const { chromium } = require('playwright-core');
const [, , link, rounds] = process.argv;
const home = new URL(link).origin;

/** Runs in the page: remembers when the first view was painted. */
function watch() {
    const look = () => {
        const main = document.getElementById('main');
        if (globalThis.paintedAt === undefined && main?.getAttribute('aria-busy') === 'false' && main.querySelector('h1')) {
            globalThis.paintedAt = null;
            requestAnimationFrame(() => setTimeout(() => { globalThis.paintedAt = performance.now(); }));
        }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}

/** Opens a tab; gives when the overview was painted and the number of requests that no cache answered. */
async function open(context, address) {
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    const asked = new Set();
    network.on('Network.requestWillBeSent', ({ requestId, request }) => request.url.startsWith(home) && asked.add(requestId));
    network.on('Network.requestServedFromCache', ({ requestId }) => asked.delete(requestId));
    network.on('Network.responseReceived', ({ requestId, response }) => response.fromDiskCache && asked.delete(requestId));
    await network.send('Network.enable');
    await page.addInitScript(watch);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.paintedAt > 0);
    await page.locator('#live.on').waitFor();
    const painted = await page.evaluate(() => globalThis.paintedAt);
    const title = await page.locator('main h1').first().textContent();
    if (title !== 'Overview') {
        throw new Error(`the page shows ${title} instead of the overview`);
    }
    // Without it the next tab would not find everything in the cache.
    await page.waitForFunction(() => Boolean(globalThis.Chart));
    await page.close();
    return { painted, requests: asked.size };
}

const browser = await chromium.launch({ executablePath: process.env.POSTRIDER_TEST_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'] });
try {
    for (let round = 0; round < Number(rounds); round += 1) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
        const cold = await open(context, link);
        const warm = await open(context, `${home}/`);
        await context.close();
        console.log(`cold ${cold.painted.toFixed(1)}`);
        console.log(`warm ${warm.painted.toFixed(1)} ${warm.requests}`);
    }
} finally {
    await browser.close();
}
