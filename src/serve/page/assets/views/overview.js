// Overview: findings, figures over time, consumers, handlers and workers.
import { get } from '../core/api.js';
import { afterPaint, h, outside, replaceCalmly } from '../core/dom.js';
import { Steady, findings } from '../parts/findings.js';
import { ago, count, duration, plural, rate, secondsSince, short, stamp } from '../core/format.js';
import { spanOf } from '../parts/history.js';
import { table } from '../parts/list.js';
import { live } from '../core/live.js';
import { briefError, consumerState, groupPage, handlerLink, sparkBars, state } from '../parts/marks.js';
import { link } from '../core/route.js';
import { waitingLink } from './deliveries.js';
import { OverviewCharts } from './overview_charts.js';

const kept = 720;
let screen = null;

async function load({ query, signal, me }) {
    if (me.workspace) {
        // A token of one workspace may not read totals of all workspaces.
        location.replace(link(['dead-letters']));
        throw new DOMException('another view is shown', 'AbortError');
    }
    // The history is requested once; after that the live stream adds points.
    const brief = screen && live.connected && !screen.gap ? { brief: 'true' } : {};
    const data = await get('overview', brief, signal);
    return screen ? { ...data, runs: await runHistory(query, signal) } : data;
}

/** At first the figures do not wait for the charts. The newest bucket of the history is a minute wide. */
function runHistory(query, signal) {
    return screen?.runs && Date.now() - screen.readAt < 20000 ? screen.runs : get('history', { span: spanOf(query) }, signal);
}

/** The view while it is shown. All its numbers are of one snapshot; the stream brings points of the charts in between. */
class Screen {
    constructor(data, { query, signal }) {
        this.charts = new OverviewCharts();
        this.steady = new Steady();
        this.rows = 2;
        this.sections = Object.fromEntries(['health', 'figures', 'groups', 'consumers', 'handlers', 'workers', 'server']
            .map((name) => [name, h('section.stack')]));
        // Read out when it changes; the list below it changes too often for that.
        this.sentence = h('p.unseen-text', { role: 'status' });
        this.take(data);
        this.element = this.build();
        afterPaint(() => screen === this && this.complete(query, signal));
    }

    build() {
        const { health, figures, groups, consumers, handlers, workers, server } = this.sections;
        return [h('h1', 'Overview'), this.sentence, health, figures, this.charts.element,
            groups, consumers, handlers, h('div.columns', workers, server)];
    }

    take({ history, handlers, groups, replays, runs, ...figures }) {
        if (history) {
            this.history = history;
            this.gap = false;
        }
        if (runs !== this.runs) {
            Object.assign(this, { runs, readAt: Date.now() });
        }
        Object.assign(this, { figures, handlers, groups, replays });
        this.add(figures);
        this.draw();
        if (this.element) {
            this.drawDetails();
        }
    }

    /** After the findings were painted: draws the tables below them and the charts. */
    complete(query, signal) {
        this.drawDetails();
        runHistory(query, signal).then((runs) => {
            Object.assign(this, { runs, readAt: Date.now() });
            afterPaint(() => screen === this && this.charts.draw(this.history, runs));
        }, () => {});
    }

    /** One more point of the charts. */
    add({ at, totals }) {
        const { published_per_s, delivered_per_s, failed_per_s, backlog, oldest_age_s, dead_letters } = totals;
        const point = { at, published_per_s, delivered_per_s, failed_per_s, backlog, oldest_age_s, dead_letters };
        const last = this.history.at(-1);
        // After an interruption of the stream the missing points are requested from the server.
        this.gap ||= Boolean(last) && Date.parse(at) - Date.parse(last.at) > 60000;
        if (last && Date.parse(at) - Date.parse(last.at) < 4500 && this.history.length > 1) {
            this.history[this.history.length - 1] = { ...point, at: last.at };
        } else {
            this.history = [...this.history, point].slice(-kept);
        }
    }

    draw() {
        const found = this.steady.take(findings(this));
        this.rows = Math.max(this.rows, found.length);
        if (this.sentence.textContent !== sentenceOf(found)) {
            this.sentence.textContent = sentenceOf(found);
        }
        replaceCalmly(this.sections.health, healthOf(found, this.rows));
        replaceCalmly(this.sections.figures, figuresOf(this.figures.totals));
        replaceCalmly(this.sections.groups, groupsOf(this.groups));
    }

    drawDetails() {
        replaceCalmly(this.sections.consumers, consumersOf(this.figures.consumers));
        replaceCalmly(this.sections.handlers, handlersOf(this.handlers, this.figures.consumers));
        replaceCalmly(this.sections.workers, workersOf(this.figures));
        replaceCalmly(this.sections.server, serverOf(this.figures));
    }
}

function sentenceOf(found) {
    return found.length === 0 ? 'Nothing needs attention.'
        : found.length === 1 ? 'One thing needs attention.' : `${found.length} things need attention.`;
}

/** Reserves space for the largest number of rows so far, so that the content below does not move. */
function healthOf(found, rows) {
    const worst = found[0]?.level ?? 'good';
    return h('div.sheet.health', { class: `sheet health ${worst}` }, h('h2', sentenceOf(found)),
        h('ul', found.map((one) => h('li', state('finding', one.level === 'bad' ? 'problem' : 'warning'),
            h('span.wrap', { title: one.text }, outside(one.text), one.since && h('span.muted', { title: stamp(one.since) }, ` for ${duration(secondsSince(one.since))}`)),
            one.to ? h('a', { href: one.to }, one.action) : h('span'))),
        Array.from({ length: rows - found.length }, () => h('li', { 'aria-hidden': 'true' }))));
}

function figuresOf(totals) {
    const pairs = [['Published', rate(totals.published_per_s)], ['Delivered', rate(totals.delivered_per_s)],
        ['Backlog', `${totals.backlog_exact ? '' : '≈ '}${short(totals.backlog)}`], ['Oldest', duration(totals.oldest_age_s)],
        ['In flight', short(totals.in_flight)], ['Retrying', short(totals.deliveries_pending)],
        ['Dead letters', short(totals.dead_letters)], ['Workers', short(totals.workers)]];
    return h('dl.figures', { 'aria-label': 'Figures now' }, pairs.map(([title, value]) => h('div', h('dt', title), h('dd', value))));
}

function groupsOf(rows) {
    return rows.length === 0 ? [] : [h('div.row.between', h('h2', 'Top failures'), h('a', { href: link(['dead-letters']) }, 'All dead letters')),
        table({ label: 'Top failures', rows, key: (row) => `group ${row.consumer} ${row.handler} ${row.fingerprint}`,
            columns: [
                { title: 'Count', kind: 'num', cell: (row) => h('a', { href: groupLink(row) }, count(row.count)) },
                { title: 'Over time', cell: (row) => sparkBars(row.buckets, `${plural(row.count, 'death')} over time`) },
                { title: 'Error', kind: 'wide', cell: (row) => [briefError(row, row.sample_error), ' ', row.fingerprint && h('a', { href: groupPage(row), 'aria-label': `Group of ${row.handler}: ${row.error_class ?? ''}` }, 'Group')] },
                { title: 'Handler', cell: handlerLink },
                { title: 'Last', kind: 'tight', cell: (row) => ago(row.last_seen) },
            ] })];
}

export function groupLink(row) {
    return link(['dead-letters', 'list'],
        { consumer: row.consumer, channel: row.channel, handler: row.handler, fingerprint: row.fingerprint });
}

function health(row) {
    const found = consumerState(row);
    return found === 'no_workers' && row.backlog + row.pending > 0 ? state('consumer', found, 'bad') : state('consumer', found);
}

/** First steps in an empty database. */
function quickStart() {
    const line = (text) => h('li', h('code.wrap', text));
    return h('div.sheet.stack', { id: 'quick-start' }, h('h2', 'Nothing has been published yet'), h('ol',
        line("postrider work --consumer billing --on 'order.*' --exec ./send-invoice"),
        line(`postrider publish order.placed --source shop --payload '{"order": 42}'`),
        h('li', 'See it here: figures, failures and what to do about them.')));
}

function consumersOf(rows) {
    return rows.length === 0 ? quickStart() : [h('h2', 'Consumers'), table({ label: 'Consumers', rows, key: (row) => `${row.consumer} ${row.channel}`,
        empty: 'No consumer yet: a worker makes one when it starts.',
        columns: [
            { title: 'Consumer', cell: (row) => h('a', { href: link(['consumers'], { at: `${row.consumer} ${row.channel}` }) }, outside(row.consumer)) },
            { title: 'Channel', cell: (row) => outside(row.channel) },
            { title: 'State', cell: health },
            { title: 'Backlog', kind: 'num', cell: (row) => `${row.backlog_exact ? '' : '≈ '}${count(row.backlog)}` },
            { title: 'Oldest', kind: 'num', cell: (row) => duration(row.oldest_age_s) },
            { title: 'In flight', kind: 'num', cell: (row) => count(row.in_flight) },
            { title: 'Retrying', kind: 'num', cell: (row) => (row.pending > 0 ? h('a', { href: waitingLink(row) }, count(row.pending)) : '0') },
            { title: 'Dead', kind: 'num', cell: (row) => (row.failed > 0
                ? h('a', { href: link(['dead-letters', 'list'], { consumer: row.consumer, channel: row.channel }) }, count(row.failed)) : '0') },
            { title: 'Delivers', kind: 'num', cell: (row) => rate(row.delivered_per_s) },
            { title: 'Workers', kind: 'num', cell: (row) => count(row.workers) },
        ] })];
}

function handlersOf(rows, consumers) {
    const sick = rows.filter((row) => row.circuit_state !== 'closed' || row.circuit_mode !== 'automatic' || row.failed > 0 || row.workers === 0);
    const total = consumers.reduce((sum, one) => sum + one.handlers, 0);
    const rest = total - sick.length;
    return [h('div.row.between', h('h2', 'Handlers'), h('a', { href: link(['handlers']) }, `All ${plural(total, 'handler')}`)),
        sick.length > 0 && table({ label: 'Handlers with problems', rows: sick, key: (row) => `${row.consumer} ${row.handler} ${row.channel}`,
            columns: [
                { title: 'Handler', cell: handlerLink },
                { title: 'Circuit', cell: (row) => [state('circuit', row.circuit_state), row.circuit_mode !== 'automatic' && state('mode', row.circuit_mode)] },
                { title: 'Retrying', kind: 'num', cell: (row) => (row.pending > 0 ? h('a', { href: waitingLink(row) }, count(row.pending)) : '0') },
                { title: 'Dead', kind: 'num', cell: (row) => count(row.failed) },
                { title: 'Workers', kind: 'num', cell: (row) => count(row.workers) },
                { title: 'Error of the circuit', kind: 'wide', cell: (row) => row.circuit_error && briefError({}, row.circuit_error) },
            ] }),
        h('p.muted', sick.length === 0 ? `${plural(rest, 'handler')} without problems.` : rest > 0 && `${plural(rest, 'other')} without problems.`)];
}

function workersOf({ generations, doorbells }) {
    return [h('h2', 'Workers and generations'),
        table({ label: 'Generations', rows: generations, key: (row) => `generation ${row.generation} ${row.consumer} ${row.channel}`,
            empty: 'No worker is alive.',
            columns: [
                { title: 'Generation', cell: (row) => row.generation ?? h('span.muted', 'none') },
                { title: 'Consumer', cell: (row) => h('a', { href: link(['workers'], { consumer: row.consumer }) }, outside(row.consumer)) },
                { title: 'Workers', kind: 'num', cell: (row) => count(row.workers) },
                { title: 'Versions', cell: (row) => outside(row.versions.join(', ')) },
                { title: 'Since', kind: 'tight', cell: (row) => ago(row.started_at) },
            ] }),
        h('h2', 'Doorbells'),
        table({ label: 'Doorbells', rows: doorbells, key: (row) => `bell ${row.channel}`, empty: 'No channel yet.',
            columns: [
                { title: 'Channel', cell: (row) => outside(row.channel) },
                { title: 'Keeper', cell: (row) => (row.kept ? state('keeper', row.sleeping ? 'idle' : 'working') : state('keeper', 'none', row.workers > 0 ? 'warn' : '')) },
                { title: 'Wake', cell: (row) => outside(row.wake) },
                { title: 'Workers', kind: 'num', cell: (row) => count(row.workers) },
            ] })];
}

function serverOf({ xmin, notify, totals, server_version: version, sample_ms: cost }) {
    return [h('h2', 'Database'), h('dl.facts.sheet',
        [['PostgreSQL', outside(version)],
            ['Oldest snapshot', xmin.kind === 'none' ? 'no session holds back vacuum'
                : [outside(xmin.holder), `, ${count(xmin.age_xids)} transactions old`, xmin.since && [', since ', ago(xmin.since)]]],
            ['NOTIFY queue', `${(notify.queue_usage * 100).toFixed(notify.queue_usage > 0 && notify.queue_usage < 0.1 ? 1 : 0)} % used, ${plural(notify.commit_waiters, 'transaction')} waiting`],
            ['Partitions', count(totals.partitions)],
            ['Circuits not closed', count(totals.circuits_not_closed)],
            ['This sample took', `${Number(cost).toFixed(1)} ms`]].map(([title, value]) => [h('dt', title), h('dd', value)]))];
}

export const overview = {
    title: '',
    every: 5000,
    load,
    show(data, context) {
        screen = new Screen(data, context);
        return screen.element;
    },
    update(data) {
        screen.take(data);
        screen.charts.draw(screen.history, screen.runs);
    },
    live: (figures) => screen.add(figures),
    leave() {
        screen?.charts.end();
        screen = null;
    },
};
