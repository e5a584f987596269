// Records: alerts, audit and retention.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, interval, plural, stamp } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { briefError, chip, head } from '../parts/marks.js';
import { link } from '../core/route.js';

export const alerts = {
    title: 'Alerts',
    every: 10000,
    load: ({ query, signal }) => get('alerts', { unsent: query.unsent ? 'true' : '', limit: 50, after: query.after }, signal),
    show: (page) => [head('Alerts'), filterForm([{ name: 'unsent', title: 'Only those not sent everywhere', type: 'checkbox' }], { label: 'Filter alerts' }),
        table({
            label: 'Alerts', rows: page.rows, key: (row) => row.alert_id,
            empty: [h('strong', 'No alert.'), h('span', 'An alert is raised when a cycle dies, a circuit opens, or too many messages wait for an ordering key.')],
            columns: [
                { title: 'At', kind: 'tight', cell: (row) => ago(row.at) },
                { title: 'Kind', cell: (row) => chip(row.kind.replaceAll('_', ' ')) },
                { title: 'Handler', cell: (row) => [outside(row.handler_name), h('div.muted', outside(row.consumer))] },
                { title: 'Type', cell: (row) => row.event_type && outside(row.event_type) },
                { title: 'Error', kind: 'wide', cell: (row) => briefError(row) },
                { title: 'Delivery', kind: 'num', cell: (row) => row.delivery_id && h('a', { href: link(['dead-letters', row.delivery_id]) }, row.delivery_id) },
                { title: 'Not sent to', cell: (row) => row.unsent.length > 0 && outside(row.unsent.join(', ')) },
            ],
        }), pager(page, plural(page.rows.length, 'alert'))],
};

function json(title, value) {
    return value === null || value === undefined ? null
        : h('details', h('summary', title), h('pre.text', { tabindex: '0', 'aria-label': title }, outside(JSON.stringify(value, null, 4))));
}

export const audits = {
    title: 'Audit',
    load: ({ query, signal }) => get('audits', { actor: query.actor, action: query.action, limit: 50, after: query.after }, signal),
    show: (page) => [head('Audit'), filterForm([{ name: 'actor', title: 'By' }, { name: 'action', title: 'Action' }], { label: 'Filter the audit' }),
        h('p.row', h('span.muted', 'Frequent filters:'), [['seek_consumer', 'Seeks'], ['erase', 'Erasures'], ['set_limit', 'Limits'], ['reveal', 'Payloads shown']].map(([action, title]) =>
            h('a', { href: link(['audits'], { action }) }, title))),
        table({
            label: 'Audit', rows: page.rows, key: (row) => row.audit,
            empty: [h('strong', 'No audit entries.'), h('span', 'Every change and every access to a payload is recorded here.')],
            columns: [
                { title: 'At', kind: 'tight', cell: (row) => h('time', { datetime: row.at }, stamp(row.at)) },
                { title: 'By', cell: (row) => [outside(row.actor), h('div.muted', outside(row.role))] },
                { title: 'Action', cell: (row) => outside(row.action) },
                { title: 'Reason', kind: 'wide', cell: (row) => outside(row.reason) },
                { title: 'On', kind: 'wide', cell: (row) => [row.filter && outside(JSON.stringify(row.filter), 'code.wrap'), json('before', row.before), json('after', row.after)] },
            ],
        }), pager(page, plural(page.rows.length, 'entry', 'entries'))],
};

/** A number of a large table is estimated, or counted up to a limit. */
function about(row, number) {
    return row.exact || number === 0 ? count(number) : `about ${count(number)}`;
}

export const retention = {
    title: 'Retention',
    load: ({ signal }) => get('retention', {}, signal),
    show: (page) => [head('Retention'),
        h('p.muted', 'Retention policies and the rows that are due. Messages that a consumer has not handled are never removed.'),
        table({
            label: 'Retention', rows: page.rows, key: (row) => `${row.entity} ${row.class}`, empty: 'No policy: everything is kept.',
            columns: [
                { title: 'What', cell: (row) => [outside(row.entity.replaceAll('_', ' ')), row.class !== '*' && [' ', outside(row.class, 'span.chip')]] },
                { title: 'Kept', kind: 'tight', cell: (row) => (row.disposal === 'keep' ? 'for ever' : interval(row.active_ttl)) },
                { title: 'Grace', kind: 'tight', cell: (row) => interval(row.grace) },
                { title: 'Due', kind: 'num', cell: (row) => about(row, row.due) },
                { title: 'Soon', kind: 'num', cell: (row) => about(row, row.soon) },
                { title: 'In grace', kind: 'num', cell: (row) => about(row, row.in_grace) },
                { title: 'Removed', kind: 'num', cell: (row) => count(row.removed) },
                { title: 'Last run', kind: 'tight', cell: (row) => ago(row.last_run_at) },
                { title: 'Held by', kind: 'wide', cell: (row) => row.held_by && outside(row.held_by) },
            ],
        })],
};
