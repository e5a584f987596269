// Workers, leases and blocked keys.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, plural } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { head, state } from '../parts/marks.js';
import { link } from '../core/route.js';

export const workers = {
    title: 'Workers',
    every: 5000,
    load: ({ query, signal }) => get('workers', { consumer: query.consumer, all: query.all ? 'true' : '', limit: 50, after: query.after }, signal),
    show: (page, { query }) => [head('Workers'),
        filterForm([{ name: 'consumer', title: 'Consumer' }, { name: 'all', title: 'Also those that are gone', type: 'checkbox' }], { label: 'Filter workers' }),
        table({
            label: 'Workers', rows: page.rows, key: (row) => row.worker,
            empty: [h('strong', query.all ? 'No worker is known.' : 'No worker is alive.'),
                h('span', 'Messages wait in the log until one starts. ', !query.all && h('a', { href: link(['workers'], { ...query, all: '1' }) }, 'Show those that are gone'))],
            columns: [
                { title: 'Worker', cell: (row) => [outside(row.host), h('div.muted.mono', row.worker)] },
                { title: 'State', cell: (row) => state('worker', row.alive ? 'alive' : 'gone') },
                { title: 'Consumer', cell: (row) => [outside(row.consumer), h('div.muted', outside(row.channel))] },
                { title: 'Generation', kind: 'num', cell: (row) => row.generation ?? '–' },
                { title: 'Version', cell: (row) => row.version && outside(row.version) },
                { title: 'Handlers', kind: 'wide', cell: (row) => outside(row.handlers.join(', ')) },
                { title: 'In flight', kind: 'num', cell: (row) => count(row.leased + row.deliveries) },
                { title: 'Started', kind: 'tight', cell: (row) => ago(row.started_at) },
                { title: 'Alive until', kind: 'tight', cell: (row) => ago(row.alive_until) },
            ],
        }), pager(page, plural(page.rows.length, 'worker'))],
};

export const leases = {
    title: 'Leases',
    every: 5000,
    load: ({ query, signal }) => get('leases', { consumer: query.consumer, limit: 50, after: query.after }, signal),
    show: (page) => [head('Leases'), filterForm([{ name: 'consumer', title: 'Consumer' }], { label: 'Filter leases' }),
        table({
            label: 'Leases', rows: page.rows, key: (row) => `${row.kind} ${row.consumer} ${row.id}`,
            empty: [h('strong', 'No leases.'), h('span', 'Messages that a worker has claimed and not yet settled are listed here.')],
            columns: [
                { title: 'Kind', cell: (row) => (row.kind === 'lease' ? 'first attempts' : 'retry') },
                { title: 'Id', kind: 'num', cell: (row) => row.id },
                { title: 'Consumer', cell: (row) => [outside(row.consumer), h('div.muted', outside(row.handler ?? row.channel))] },
                { title: 'Messages', kind: 'num', cell: (row) => count(row.messages) },
                { title: 'Worker', cell: (row) => [outside(row.host ?? 'unknown'), ' ', !row.worker_alive && state('worker', 'gone'), h('div.muted.mono', row.worker)] },
                { title: 'Claimed', kind: 'tight', cell: (row) => ago(row.claimed_at) },
                { title: 'Deadline', kind: 'tight', cell: (row) => [ago(row.deadline), ' ', row.overdue && state('lease', 'overdue')] },
            ],
        }), pager(page, plural(page.rows.length, 'lease'))],
};

export const blockedKeys = {
    title: 'Blocked keys',
    every: 5000,
    load: ({ query, signal }) => get('blocked-keys', { consumer: query.consumer, limit: 50, after: query.after }, signal),
    show: (page) => [head('Blocked keys'), filterForm([{ name: 'consumer', title: 'Consumer' }], { label: 'Filter keys' }),
        table({
            label: 'Blocked keys', rows: page.rows, key: (row) => `${row.consumer} ${row.channel} ${row.key}`,
            empty: [h('strong', 'No blocked keys.'), h('span', 'Ordering keys whose next messages wait for one that runs, is retried or is dead are listed here.')],
            columns: [
                { title: 'Key', cell: (row) => [outside(row.key), h('div.muted', outside(row.consumer))] },
                { title: 'Waits for', cell: (row) => [state('head', row.status), h('div.muted.mono', row.status === 'failed'
                    ? h('a', { href: link(['dead-letters', row.delivery_id]) }, row.id)
                    : row.id && h('a', { href: link(['messages', row.id]) }, row.id))] },
                { title: 'Handler', cell: (row) => [outside(row.handler ?? '–'), h('div.muted', outside(row.error_class ?? ''))] },
                { title: 'Attempts', kind: 'num', cell: (row) => count(row.attempts) },
                { title: 'Followers', kind: 'num', cell: (row) => [count(row.followers), row.alerted_at && h('div.muted', 'alert ', ago(row.alerted_at))] },
                { title: 'Since', kind: 'tight', cell: (row) => ago(row.since) },
            ],
        }), pager(page, plural(page.rows.length, 'key'))],
};
