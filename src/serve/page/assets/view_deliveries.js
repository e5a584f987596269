// Deliveries: what needs attention of its own and is not dead, mostly because it failed and is tried again.
import { get } from './api.js';
import { h, outside } from './dom.js';
import { ago, plural } from './format.js';
import { filterForm, pager, table } from './list.js';
import { briefError, chip, handlerLink, head, messageLink } from './parts.js';
import { link } from './route.js';

const statuses = [['', 'pending'], ['in_flight', 'in flight'], ['delivered', 'delivered'], ['failed', 'failed']];

/** The address of what waits for a consumer or one of its handlers. */
export function waitingLink(row) {
    return link(['deliveries'], { consumer: row.consumer, handler: row.handler });
}

export const deliveries = {
    title: 'Deliveries',
    every: 10000,
    load: ({ query, signal }) => get('deliveries',
        { consumer: query.consumer, handler: query.handler, status: query.status || 'pending', limit: 50, after: query.after }, signal),
    show: (page, { query }) => [head('Deliveries'),
        h('p.muted', 'What failed and is tried again, or was scheduled. First attempts come straight from the log and are not listed.'),
        filterForm([{ name: 'status', title: 'Status', options: statuses }, { name: 'consumer', title: 'Consumer' },
            { name: 'handler', title: 'Handler' }], { label: 'Filter deliveries' }),
        table({
            label: 'Deliveries', rows: page.rows, key: (row) => row.delivery_id,
            empty: [h('strong', query.status ? 'No delivery has this status.' : 'Nothing waits to be tried again.'),
                h('span', 'What failed waits here for its next attempt; what used all of them up is a ',
                    h('a', { href: link(['dead-letters']) }, 'dead letter'), '.')],
            columns: [
                { title: 'Message', cell: (row) => messageLink(row.id) },
                { title: 'Handler', cell: (row) => (row.handler ? handlerLink(row) : h('span.muted', 'none yet')) },
                { title: 'Status', cell: (row) => chip(row.status) },
                { title: 'Attempts', kind: 'num', cell: (row) => `${row.attempts}${row.max_attempts ? ` of ${row.max_attempts}` : ''}` },
                { title: 'Due', kind: 'tight', cell: (row) => ago(row.status === 'pending' ? row.available_at : row.delivered_at ?? row.dead_at ?? row.lease_until) },
                { title: 'Type', cell: (row) => outside(row.event_type) },
                { title: 'Error', kind: 'wide', cell: (row) => (row.error_class || row.last_error) && briefError(row) },
            ],
        }), pager(page, plural(page.rows.length, 'delivery', 'deliveries'))],
};
