// Small elements that several views share.
import { copy } from './ask.js';
import { h, outerLink, outside, shortened, svg, visible } from '../core/dom.js';
import { ago } from '../core/format.js';
import { link } from '../core/route.js';
import { stateLook, stateText } from '../core/states.js';

/** A word in a frame. */
export function chip(word, look = '') {
    return h('span.chip', { class: `chip ${look}` }, visible(word));
}

/** A badge with a state: the kind of object, and its state in the database. */
export function state(of, value, look = stateLook(of, value)) {
    return chip(stateText(of, value), look);
}

/** The state of a consumer, as `postrider top` has it. */
export function consumerState(row) {
    return row.paused ? 'paused' : row.held ? 'held' : row.workers === 0 ? 'no_workers' : (row.held_handlers ?? []).length > 0 ? 'partly_held' : 'working';
}

/** [[title, value or node]…]; missing values are left out. */
export function facts(pairs) {
    return h('dl.facts', pairs.filter((pair) => pair && pair[1] !== null && pair[1] !== undefined && pair[1] !== '')
        .map(([title, value]) => [h('dt', title), h('dd', value instanceof Node || Array.isArray(value) ? value : outside(value))]));
}

/** A name or id that is often needed elsewhere. */
export function copyable(text, name) {
    return [outside(text, 'bdi.mono'), ' ',
        h('button.quiet.small', { type: 'button', 'aria-label': `Copy ${name}`, click: () => copy(text) }, 'Copy')];
}

export function head(title, ...actions) {
    return h('div.row.between', h('h1', title), h('div.row', actions));
}

export function crumbs(...steps) {
    return h('nav.crumbs', { 'aria-label': 'Up' }, steps.map(([text, parts, query], at) =>
        [at > 0 ? ' / ' : '', h('a', { href: link(parts, query) }, text)]));
}

export function error(text) {
    return text ? h('div.error-box', outside(text, 'pre.text.error'),
        h('button.small', { type: 'button', 'aria-label': 'Copy the error', click: () => copy(text) }, 'Copy'))
        : h('p.muted', 'No error text: it is shown to operators.');
}

/** The line of an error text that names the cause: programs print the path to it around it. */
export function cause(text) {
    const lines = String(text ?? '').split('\n').map((line) => line.trim()).filter((line) => line && line !== '…');
    const inner = lines.map((line) => /(?:^|[\s;(])caused by:? +(.+)$/i.exec(line)?.[1]).filter(Boolean).at(-1);
    if (inner) {
        return inner;
    }
    // A Python traceback ends with the error; other traces begin with it, or with a source line before it.
    return (lines.some((line) => line.startsWith('Traceback (most recent')) ? lines.at(-1)
        : lines.find((line) => /^[\w.:]*(Error|Exception|panic|fatal)\b.*:/.test(line))) ?? lines[0] ?? '';
}

export function briefError(row, text = row.last_error) {
    return [row.error_class && h('span.chip', visible(row.error_class)), ' ', outside(shortened(cause(text)), 'span.wrap')];
}

/** The operator who set a state, and the reason. */
export function decided(by, reason, at) {
    return by && h('div.muted.wrap', 'by ', outside(by), at && [' ', ago(at)], reason && [': ', outside(reason)]);
}

/** Counts over time as bars; the last one is the newest. */
export function sparkBars(counts, label) {
    const most = Math.max(1, ...counts);
    const width = 5;
    return svg('svg', { class: 'spark', width: counts.length * width, height: 22, role: 'img', 'aria-label': label },
        svg('line', { x1: 0, x2: counts.length * width, y1: 21.5, y2: 21.5 }),
        counts.map((value, at) => value > 0 && svg('rect', { x: at * width, width: width - 1,
            y: 21 - Math.max(2, (value / most) * 20), height: Math.max(2, (value / most) * 20) })));
}

/** The 32 hexadecimal digits of a W3C trace context, or nothing. */
export function traceId(context) {
    return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(context ?? '')?.[1] ?? '';
}

let traceTemplate = '';

/** template: an address with {trace}, of the option --trace-link of the server. */
export function setTraceLink(template) {
    traceTemplate = template ?? '';
}

/** A trace can be in several channels; the log is searched one at a time. */
export function trace({ trace_context: context, channel }) {
    const id = traceId(context);
    const outer = id && traceTemplate.replaceAll('{trace}', id);
    return id ? [...copyable(id, 'trace id'), ' ', outer && [outerLink(outer, 'open the trace'), ' '], h('a', { href: link(['messages'], { by: 'trace', q: id, channel }) }, 'messages of this trace')]
        : context && outside(context);
}

export function handlerLink(row) {
    return h('a', { href: link(['handlers'], { consumer: row.consumer, at: `${row.consumer} ${row.handler} ${row.channel}` }) },
        outside(row.handler));
}

/** The address of the page of a group of dead letters. */
export function groupPage(row) {
    return link(['dead-letters', 'group', row.consumer, row.handler, row.fingerprint], { channel: row.channel === 'outbox_default' ? '' : row.channel });
}

/** The address of the page of a handler. */
export function handlerPage(row) {
    return link(['handlers', row.consumer, row.handler], { channel: row.channel === 'outbox_default' ? '' : row.channel });
}

export function messageLink(id) {
    return h('a.mono', { href: link(['messages', id]) }, outside(id));
}

export function envelope(row) {
    return [
        ['Message', messageLink(row.id)],
        ['Type', [outside(row.event_type), `, version ${row.event_version}`]],
        ['Source', row.source], ['Target', row.target], ['Workspace', row.workspace_id],
        ['Content class', row.content_class], ['Channel', row.channel], ['Generation', row.generation],
        ['Idempotency', copyable(row.idempotency_key, 'idempotency key')],
        ['Ordering key', row.ordering_key], ['Partition key', row.partition_key],
        ['Trace', trace(row)],
        ['Priority', String(row.priority)], ['Position', row.seq],
    ];
}
