// The fixture of all tests of the page: a database with data, `postrider serve`, and a browser whose errors fail the test.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const require = createRequire(`${process.env.POSTRIDER_TEST_PAGE_MODULES}/`);
const { chromium } = require('playwright-core');
export const axeSource = require.resolve('axe-core/axe.min.js');

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'];
export const artefacts = process.env.POSTRIDER_TEST_ARTEFACTS;
/** Pictures are for people and take longer than the tests: only on request. */
export const pictures = Boolean(process.env.POSTRIDER_TEST_PICTURES);

// The database.

/** Runs SQL as the owner of the test's database; gives the lines of the answer. */
export async function sql(text, variables = {}) {
    const settings = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
    const child = execFile('psql', ['-XqAt', '-v', 'ON_ERROR_STOP=1', ...settings, '-f', '-'], { maxBuffer: 1 << 26 });
    child.stdin.end(text);
    let out = '';
    let errors = '';
    child.stdout.on('data', (part) => { out += part; });
    child.stderr.on('data', (part) => { errors += part; });
    const code = await new Promise((resolve) => { child.on('close', resolve); });
    assert.equal(code, 0, errors);
    return out.trim();
}

export const quote = (text) => `'${String(text).replaceAll("'", "''")}'`;

/** A worker spoken for in SQL: it registers, lets messages die, and runs what is due. */
export class Worker {
    constructor(consumer, handler) {
        Object.assign(this, { consumer, handler, id: randomUUID(), channel: consumer });
    }

    register(more = {}) {
        const handlers = JSON.stringify([{ name: this.handler, event_types: ['*'], max_attempts: 1, ...more }]);
        return sql(`select postrider.register_worker(:'id', :'consumer', :'handlers', :'channel', p_alive_for => '1 hour');`,
            { id: this.id, consumer: this.consumer, handlers, channel: this.channel });
    }

    /**
     * Publishes messages, one for each payload, and lets all of them die; gives their deliveries. error, kind and more
     * (further arguments of publish) are texts, or functions of the number of the message.
     */
    async die(payloads, error = 'no answer from mail.example.com', kind = 'timeout', more = '', outcome = 'terminal') {
        const of = (value, n) => (typeof value === 'function' ? value(n) : value);
        const each = (value) => `array[${payloads.map((_, n) => quote(of(value, n))).join(', ')}]`;
        const publish = payloads.map((payload, n) => `select postrider.publish('order.placed', ${quote(payload)}, p_source => 'shop',
            p_channel => ${quote(this.channel)}${of(more, n)}) \\g /dev/null`).join('\n');
        const out = await sql(`${publish}
            select count(postrider.settle(${quote(this.id)}, x.lease_id, x.lease_token, p_failures => x.failures)) from (
                select c.lease_id, c.lease_token, jsonb_agg(jsonb_build_object('seq', c.seq, 'handler', ${quote(this.handler)},
                    'outcome', ${quote(outcome)}, 'error_class', (${each(kind)})[c.n], 'error', (${each(error)})[c.n])) as failures
                from (select *, row_number() over (order by seq) as n from postrider.claim(${quote(this.id)}, 1000)) c group by 1, 2) x
            \\g /dev/null
            select delivery_id from postrider.dead_letters where channel = ${quote(this.channel)} order by delivery_id;`);
        return out.split('\n').slice(-payloads.length);
    }

    /** Carries replays on and runs what is due until `count` have run; outcome(n) for the n-th. */
    async runDue(count, outcome = () => 'delivered') {
        let ran = 0;
        for (let tries = 0; ran < count; tries += 1) {
            assert.ok(tries < 200, `${ran} of ${count} ran`);
            await sql('select count(*) from postrider.replay_step();');
            const due = await sql(`select delivery_id, lease_token from postrider.claim_due(${quote(this.id)}, ${count - ran});`);
            const rows = due === '' ? [] : due.split('\n').map((line) => line.split('|'));
            const outcomes = rows.map(([delivery, token], at) => ({ delivery: Number(delivery), token, outcome: outcome(ran + at),
                error: 'still no answer', error_class: 'timeout' }));
            if (rows.length > 0) {
                await sql(`select count(*) from postrider.settle_due(${quote(this.id)}, :'outcomes');`, { outcomes: JSON.stringify(outcomes) });
                ran += rows.length;
            } else {
                await new Promise((resolve) => { setTimeout(resolve, 25); });
            }
        }
        await sql('select count(*) from postrider.replay_step();');
    }
}

export async function worker(consumer, handler, more) {
    const made = new Worker(consumer, handler);
    await made.register(more);
    return made;
}

// The server.

export class Server {
    /** Those that a failed test has not stopped keep the tests from ending. */
    static running = new Set();

    async start(port = 0, more = []) {
        this.process = spawn(process.env.POSTRIDER_PROGRAM, ['serve', '--port', String(port), ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
        Server.running.add(this.process);
        this.process.on('exit', () => Server.running.delete(this.process));
        let said = '';
        const link = await new Promise((resolve, reject) => {
            const listen = (part) => {
                said += part;
                const found = /https?:\/\/\S+#token=\S+/.exec(said);
                if (found) {
                    resolve(found[0]);
                }
            };
            this.process.stdout.on('data', listen);
            this.process.stderr.on('data', listen);
            this.process.on('exit', (code) => reject(new Error(`postrider serve ended with ${code}: ${said}`)));
        });
        this.link = link;
        this.url = new URL(link);
        this.origin = this.url.origin;
    }

    async stop() {
        const gone = new Promise((resolve) => { this.process.on('exit', resolve); });
        this.process.kill('SIGTERM');
        await gone;
    }
}

// The browser.

export class Stage {
    async open() {
        await mkdir(artefacts, { recursive: true });
        this.server = new Server();
        await this.server.start();
        this.browser = await chromium.launch({ executablePath: process.env.POSTRIDER_TEST_CHROMIUM, args: flags });
    }

    /** A link with a token of this role, made as an administrator would. */
    async tokenLink(role, { name = `${role}-${randomUUID().slice(0, 8)}`, more = [] } = {}) {
        const { stdout } = await run(process.env.POSTRIDER_PROGRAM,
            ['token', 'create', name, '--role', role, '--reason', 'test', '--actor', 'test', ...more]);
        return `${this.server.origin}/#token=${encodeURIComponent(stdout.trim())}`;
    }

    async close() {
        await this.browser?.close();
        for (const left of Server.running) {
            left.kill('SIGTERM');
        }
    }

    /** A page that has the token and remembers everything that must not happen. */
    async page({ scheme = 'light', width = 1280, height = 900, link = this.server.link } = {}) {
        const home = new URL(link).origin;
        const context = await this.browser.newContext({ colorScheme: scheme, viewport: { width, height }, hasTouch: width < 1000, reducedMotion: 'reduce',
            permissions: ['clipboard-read', 'clipboard-write'] });
        const page = await context.newPage();
        page.faults = [];
        page.setDefaultTimeout(20000);
        page.on('pageerror', (error) => page.faults.push(`exception: ${error.message}`));
        page.on('dialog', (dialog) => {
            page.faults.push(`dialog: ${dialog.message()}`);
            dialog.dismiss();
        });
        page.on('console', (message) => {
            if (message.type() === 'error' && !page.expectsFailures) {
                page.faults.push(`console: ${message.text()} ${message.location().url}`);
            }
        });
        page.on('request', (request) => {
            const { protocol, origin } = new URL(request.url());
            if (origin !== home && protocol !== 'data:') {
                page.faults.push(`outside: ${request.url()}`);
            }
        });
        await page.exposeFunction('violated', (violation) => page.faults.push(`policy: ${violation}`));
        await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => {
            globalThis.violated(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
        }));
        await page.goto(link);
        await page.locator('main[aria-busy="false"] h1').first().waitFor();
        // The page shows the view of its address: a click changes the address before the page is notified.
        page.ready = () => eventually(() => page.evaluate(() => {
            const main = document.getElementById('main');
            return main.dataset.address === location.hash && main.getAttribute('aria-busy') === 'false' && Boolean(main.querySelector('h1'));
        }), 'the view');
        page.to = async (hash) => {
            await page.evaluate(async (where) => {
                if (location.hash !== where) {
                    const changed = new Promise((resolve) => { addEventListener('hashchange', resolve, { once: true }); });
                    location.hash = where;
                    await changed;
                }
            }, hash);
            await page.ready();
        };
        page.shoot = (name, fullPage = true) => pictures && page.screenshot({ path: path.join(artefacts, `${name}.png`), fullPage });
        page.end = async () => {
            assert.deepEqual(page.faults, []);
            await context.close();
        };
        return page;
    }
}

/** Waits until what probe gives is truthy, and gives it. */
export async function eventually(probe, condition = 'it') {
    for (const begin = Date.now(); Date.now() - begin < 30000;) {
        const value = await probe();
        if (value) {
            return value;
        }
        await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    return assert.fail(`${condition} did not come true`);
}
