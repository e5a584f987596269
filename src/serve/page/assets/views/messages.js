// Messages: search by id, key, trace or type, and show the deliveries of one.
import { ask, reasonField, tell } from '../parts/ask.js';
import { attemptsTable } from '../parts/attempts.js';
import { get, path, post } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, plural, when } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { crumbs, envelope, error, facts, handlerLink, head, state } from '../parts/marks.js';
import { payloadBox } from '../parts/payload.js';
import { here, link } from '../core/route.js';
import { savedFilters } from '../parts/saved.js';
import { guess } from '../parts/search_word.js';
import { timeline } from '../parts/timeline.js';

const searchModes = [['', 'Auto-detect'], ['id', 'Message id'], ['idempotency_key', 'Idempotency key'], ['trace', 'Trace'], ['event_type', 'Type']];

function search({ query, me }) {
    const word = (query.q ?? '').trim();
    const by = query.by || (word ? guess(word) : '');
    return { ...(word ? { [by]: word } : {}), channel: query.channel, workspace: me.workspace ? undefined : query.workspace,
        since: query.since, until: query.until, limit: 50, after: query.after };
}

const jumps = [['1h', 'an hour ago'], ['6h', '6 hours ago'], ['1d', 'a day ago'], ['3d', '3 days ago'], ['7d', 'a week ago'], ['30d', '30 days ago']];

/** A search without an index scans 50,000 messages per request: a jump starts it at an earlier time. */
function jumpBar(page) {
    const { parts, query } = here();
    return query.q && page.searched_to && h('nav.row', { 'aria-label': 'Jump by time' }, h('span.muted', 'Search before'),
        jumps.map(([age, text]) => h('a.button.small', { href: link(parts, { ...query, until: age, after: '', at: '' }),
            'aria-current': query.until === age ? 'true' : null }, text)));
}

/** Follows the newest messages until the user pauses. */
function tailSwitch() {
    const { parts, query } = here();
    return query.after ? null : query.tail ? [h('span.live.on', { role: 'status' }, 'Live tail'), h('a.button.small', { href: link(parts, { ...query, tail: '' }) }, 'Pause')]
        : h('a.button.small', { href: link(parts, { ...query, tail: '1', until: '' }) }, 'Live tail');
}

export const messages = {
    title: 'Messages',
    every: () => (here().query.tail && !here().query.after ? 2000 : 0),
    load: (context) => get('messages', search(context), context.signal),
    show: (page, context) => [head('Messages', tailSwitch()),
        filterForm([{ name: 'q', title: 'Id, key, trace or type' }, { name: 'by', title: 'Search by', options: searchModes },
            { name: 'since', title: 'Since', hint: '2h or an instant' }, { name: 'until', title: 'Until', hint: '10m or an instant' },
            { name: 'channel', title: 'Channel', hint: 'outbox_default' },
            !context.me.workspace && { name: 'workspace', title: 'Workspace' }].filter(Boolean), { label: 'Find messages', action: 'Find' }),
        savedFilters(context.redraw),
        table({
            label: 'Messages', rows: page.rows, key: (row) => row.id,
            empty: [h('strong', here().query.q ? 'No message matches.' : 'No message in this time.'),
                h('span', here().query.q ? 'A page looks at the newest 50,000 messages and says how far back that is; a type may end in *.'
                    : 'Look further back with “Since”, or in another channel.')],
            columns: [
                { title: 'Message', cell: (row) => h('a.mono', { href: link(['messages', row.id]) }, outside(row.id)) },
                { title: 'Published', kind: 'tight', cell: (row) => ago(row.published_at) },
                { title: 'Type', cell: (row) => outside(row.event_type) },
                { title: 'Source', cell: (row) => outside(row.source) },
                { title: 'Idempotency key', kind: 'wide', cell: (row) => outside(row.idempotency_key) },
                { title: 'Target', cell: (row) => row.target && outside(row.target) },
            ],
        }), jumpBar(page), pager(page, plural(page.rows.length, 'message'))],
};

/** Progress and results that its handlers recorded. */
function progressOf(rows) {
    return rows.length > 0 && h('section.sheet.stack', { 'aria-label': 'Progress' }, h('h2', 'Progress'), rows.map((row) => h('div.stack',
        h('div.row', outside(row.handler), row.fraction !== null && h('progress', { max: 1, value: row.fraction, 'aria-label': `Progress of ${row.handler}` }),
            row.fraction !== null && `${Math.round(row.fraction * 100)} %`, h('span.muted', 'recorded ', ago(row.recorded_at))),
        row.text && outside(row.text, 'p.wrap'), row.result !== null && row.result !== undefined && h('details', h('summary', 'Result'),
            outside(JSON.stringify(row.result, null, 4), 'pre.text')))));
}

function delivery(row) {
    const dead = row.status === 'failed' && !row.deleted_at;
    return h('section.sheet.stack', { 'aria-label': `Handler ${row.handler ?? row.consumer}` },
        h('div.row.between',
            h('div.row', h('h2', row.handler ? handlerLink(row) : h('span.muted', 'No handler yet')), h('span.muted', 'of ', outside(row.consumer)),
                state('job', row.state)),
            dead && row.delivery_id && h('a', { href: link(['dead-letters', row.delivery_id]) }, 'Open the dead letter')),
        row.last_error && error(row.last_error),
        row.delivery_id ? timeline(row) : h('p.muted', { pending: 'Not handed out yet.', in_flight: 'A worker has it.',
            delivered: 'Delivered at the first attempt.' }[row.status] ?? ''),
        row.runs.length > 0 && h('details', h('summary', plural(row.runs.length, 'failed attempt')), attemptsTable(row.runs)));
}

const unfinished = ['queued', 'waiting', 'blocked', 'retrying', 'in_flight'];

/** Of all handlers that have not ended it. */
function cancelButton(row, deliveries, { mayOperate, reload }) {
    const perform = ({ reason }) => post('jobs/cancel', { filter: { ids: [row.id] }, reason });
    const cancel = async () => {
        const done = await ask({ title: 'Cancel this job?', danger: true, action: 'Cancel the job', back: 'Back', fields: [reasonField], perform,
            text: h('p', 'A handler that has not begun never runs it. One that runs is asked to stop at the next heartbeat of its worker, and its outcome does not count.') });
        if (done) {
            tell(done.count > 0 ? 'The job is cancelled.' : 'It had ended already.');
            reload();
        }
    };
    return mayOperate && deliveries.some((one) => unfinished.includes(one.state))
        && h('button.danger', { type: 'button', click: cancel }, 'Cancel …');
}

export const message = {
    title: ({ message: row }) => `Message ${row.id}`,
    every: ({ deliveries }) => (deliveries.every((row) => ['delivered', 'failed'].includes(row.status)) ? 0 : 3000),
    async load({ parts, signal }) {
        const [data, { rows }] = await Promise.all([get(`messages/${path(parts[1])}`, {}, signal), get(`messages/${path(parts[1])}/attempts`, {}, signal)]);
        const deliveries = data.deliveries.map((row) => ({ ...row, runs: rows.filter((run) => run.delivery_id === row.delivery_id) }));
        return { ...data, deliveries };
    },
    show: ({ message: row, deliveries, progress }, context) => [crumbs(['Messages', ['messages']]), head(outside(row.event_type), cancelButton(row, deliveries, context)),
        h('div.columns',
            h('section.sheet.stack', h('h2', 'Envelope'), facts([...envelope(row), ['Occurred', when(row.occurred_at)], ['Published', when(row.published_at)]])),
            h('div.stack', progressOf(progress), deliveries.length === 0 ? h('div.sheet.empty', h('strong', 'No handler takes it.'),
                h('span', 'No consumer of this channel has a handler for this type.')) : deliveries.map(delivery))),
        payloadBox(`messages/${path(row.id)}/payload`, context)],
};
