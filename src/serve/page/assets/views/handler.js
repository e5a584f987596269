// One handler: how long it runs and waits, how often it fails, its policy in words, and its circuit.
import { get, path } from '../core/api.js';
import { h, outside, replace, replaceCalmly } from '../core/dom.js';
import { ago, count, milliseconds, rate, stamp } from '../core/format.js';
import { link } from '../core/route.js';
import { cancelJobs } from '../parts/cancel.js';
import { ends, failed, heatMap, percentiles, points, spanOf, spanSwitch } from '../parts/history.js';
import { changeLimit } from '../parts/limit.js';
import { table } from '../parts/list.js';
import { crumbs, facts, head, state } from '../parts/marks.js';
import { policyWords } from '../parts/policy.js';
import { TimeChart } from '../parts/time_chart.js';
import { circuitState, modeButtons } from './handlers.js';
import { waitingLink } from './deliveries.js';

let charts = null;

const eventStates = { opened: ['circuit', 'open'], hold_handler: ['mode', 'held'], force_handler: ['mode', 'forced'],
    release_handler: ['mode', 'automatic'] };

function times({ total }) {
    const rows = [['Run time', total.run_ms], ['Queue time', total.queue_ms]].map(([title, found]) => ({ title, found: found ?? [] }));
    const column = (title, at) => ({ title, kind: 'num', cell: ({ found }) => milliseconds(found[at]) });
    return table({ label: 'Percentiles', rows, key: ({ title }) => title,
        columns: [{ title: 'Time', cell: ({ title }) => title }, column('Median', 0), column('95 %', 1), column('99 %', 2)] });
}

function figures({ total }) {
    const runs = total.delivered + failed(total) + total.other;
    const pairs = [['Runs', count(runs)], ['Delivered', count(total.delivered)], ['Transient failures', count(total.transient)],
        ['Permanent failures', count(total.terminal)], ['Snoozed, interrupted', count(total.other)],
        ['Failed', runs > 0 ? `${(failed(total) / runs * 100).toFixed(failed(total) > 0 ? 1 : 0)} %` : '–']];
    return h('dl.figures.six', { 'aria-label': 'Runs in this span' }, pairs.map(([title, value]) => h('div', h('dt', title), h('dd', value))));
}

function attempts({ total }) {
    const all = total.attempts.reduce((sum, n) => sum + n, 0);
    return all === 0 ? h('p.muted', 'No runs in this span.')
        : facts(total.attempts.map((n, at) => [at === 7 ? '8th or later' : `${['1st', '2nd', '3rd'][at] ?? `${at + 1}th`} attempt`,
            `${count(n)} (${(n / all * 100).toFixed(1)} %)`]));
}

function eventsOf(events) {
    return events.length === 0 ? h('p.muted', 'It has not opened, and no operator has set it.')
        : table({ label: 'Circuit history', rows: events, key: ({ at, event }) => `${at} ${event}`, columns: [
            { title: 'At', kind: 'tight', cell: (row) => [h('time', { datetime: row.at }, stamp(row.at)), h('div.muted', ago(row.at))] },
            { title: 'Circuit', cell: (row) => state(...eventStates[row.event]) },
            { title: 'By', cell: (row) => row.actor && outside(row.actor) },
            { title: 'Reason', kind: 'wide', cell: (row) => (row.reason ? outside(row.reason) : row.error_class && ['error class ', outside(row.error_class)]) },
        ] });
}

function stateOf({ handler: row }) {
    return facts([
        ['Circuit', circuitState(row)], ['Types', row.event_types.join(', ')],
        ['Retrying', row.pending > 0 ? h('a', { href: waitingLink(row) }, count(row.pending)) : '0'],
        ['Dead', row.failed > 0 ? h('a', { href: link(['dead-letters', 'list'], { consumer: row.consumer, channel: row.channel, handler: row.handler }) }, count(row.failed)) : '0'],
        ['Workers', row.workers === 0 ? h('span.warn', '0') : count(row.workers)],
        ['Registered', [stamp(row.registered_at), ' ', h('span.muted', ago(row.registered_at))]],
    ]);
}

/** The view while it is shown: charts are kept, the rest is written again. */
class Charts {
    constructor() {
        this.runs = new TimeChart({ title: 'Runs', axis: 'Runs per second', say: rate });
        this.run = new TimeChart({ title: 'Run time', axis: 'Duration', say: milliseconds });
        this.queue = new TimeChart({ title: 'Queue time', axis: 'From publication to start', say: milliseconds });
        this.parts = Object.fromEntries(['figures', 'times', 'heat', 'attempts', 'events', 'state', 'actions'].map((name) => [name, h('div.stack')]));
        this.element = h('div.charts.two', [this.runs, this.run, this.queue].map(({ element }) => element));
    }

    take(data, context) {
        const { history } = data;
        const per = (value) => points(history, (bucket, seconds) => value(bucket) / seconds, 0);
        this.runs.show([{ label: 'delivered', key: 'c1', points: per(({ delivered }) => delivered) },
            { label: 'failed', key: 'c2', points: per(failed) }], ends(history));
        this.run.show(percentiles(history, 'run_ms'), ends(history));
        this.queue.show(percentiles(history, 'queue_ms'), ends(history));
        replaceCalmly(this.parts.figures, figures(history));
        replaceCalmly(this.parts.times, times(history));
        replaceCalmly(this.parts.heat, heatMap(history));
        replaceCalmly(this.parts.attempts, attempts(history));
        replaceCalmly(this.parts.events, eventsOf(data.events));
        replaceCalmly(this.parts.state, stateOf(data));
        replace(this.parts.actions, h('div.row', modeButtons(data.handler, context), context.mayControl && [
            h('button.small', { type: 'button', click: () => changeLimit(data.handler, context.reload) }, 'Limit …'),
            h('button.small.danger', { type: 'button', click: () => cancelJobs(data.handler, context.reload) }, 'Cancel jobs …')]));
    }

    end() {
        [this.runs, this.run, this.queue].forEach((chart) => chart.end());
    }
}

export const handler = {
    title: ({ handler: row }) => row.handler,
    every: 5000,
    load: ({ parts, query, signal }) => get(`handlers/${path(parts[1], parts[2])}`, { channel: query.channel, span: spanOf(query) }, signal),
    show(data, context) {
        const row = data.handler;
        charts?.end();
        charts = new Charts();
        const { parts } = charts;
        return [crumbs(['Handlers', ['handlers']], [row.consumer, ['handlers'], { consumer: row.consumer }]),
            head(outside(row.handler), parts.actions),
            h('div.columns', h('section.sheet.stack', h('h2', 'State'), parts.state),
                h('section.sheet.stack', h('h2', 'Policy'), h('ul.plain', policyWords(row).map((sentence) => h('li', outside(sentence)))),
                    h('details', h('summary', 'As registered'), h('pre.text', { tabindex: '0', 'aria-label': `Policy of ${row.handler}` },
                        outside(JSON.stringify({ retry: row.retry, max_attempts: row.max_attempts, max_crashes: row.max_crashes, classes: row.classes,
                            honour_terminal: row.honour_terminal, circuit: row.circuit }, null, 4)))))),
            h('div.row.between', h('h2', 'Runs, as its workers counted them'), spanSwitch()),
            parts.figures, charts.element,
            h('section.stack', h('h2', 'Percentiles of the span'), parts.times,
                h('p.muted', 'Queue time is from publication to the start of the first attempt, without messages that wait for their time or have a priority. ',
                    'Percentiles come from a histogram: they are off by a quarter at most.')),
            h('section.sheet.stack', h('h2', 'Heat map of run times'), parts.heat),
            h('div.columns', h('section.sheet.stack', h('h2', 'Attempts'), parts.attempts),
                h('section.stack', h('h2', 'Circuit history'), parts.events))];
    },
    // A chart that is not in the document yet has no size.
    shown: (data, context) => charts.take(data, context),
    update: (data, context) => charts.take(data, context),
    leave() {
        charts?.end();
        charts = null;
    },
    keys: (data, { mayControl }) => (mayControl ? { s: ['Stop it', () => document.querySelector('[data-mode="held"]')?.click()],
        a: ['Set it to automatic', () => document.querySelector('[data-mode="automatic"]')?.click()] } : {}),
};
