// Deliveries that are not dead letters: mostly retries.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, plural } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { briefError, handlerLink, head, messageLink, state } from '../parts/marks.js';
import { link } from '../core/route.js';
import { stateText } from '../core/states.js';

const statuses = [['', 'pending'], ['in_flight'], ['delivered'], ['failed']].map(([value, status = value]) => [value, stateText('status', status)]);

/** The URL of the deliveries of a consumer or one of its handlers. */
export function waitingLink(row) {
    return link(['deliveries'], { consumer: row.consumer, handler: row.handler });
}

export const deliveries = {
    title: 'Deliveries',
    every: 10000,
    load: ({ query, signal }) => get('deliveries',
        { consumer: query.consumer, handler: query.handler, status: query.status || 'pending', limit: 50, after: query.after }, signal),
    show: (page, { query }) => [head('Deliveries'),
        h('p.muted', 'Retries and scheduled messages. First attempts come directly from the log and are not listed.'),
        filterForm([{ name: 'status', title: 'Status', options: statuses }, { name: 'consumer', title: 'Consumer' },
            { name: 'handler', title: 'Handler' }], { label: 'Filter deliveries' }),
        table({
            label: 'Deliveries', rows: page.rows, key: (row) => row.delivery_id,
            empty: [h('strong', query.status ? 'No delivery has this status.' : 'Nothing waits to be tried again.'),
                h('span', 'A failed message waits here for its next attempt; without attempts left it is a ',
                    h('a', { href: link(['dead-letters']) }, 'dead letter'), '.')],
            columns: [
                { title: 'Message', cell: (row) => messageLink(row.id) },
                { title: 'Handler', cell: (row) => (row.handler ? handlerLink(row) : h('span.muted', 'none yet')) },
                { title: 'Status', cell: (row) => state('status', row.status) },
                { title: 'Attempts', kind: 'num', cell: (row) => `${row.attempts}${row.max_attempts ? ` of ${row.max_attempts}` : ''}` },
                { title: 'Due', kind: 'tight', cell: (row) => ago(row.status === 'pending' ? row.available_at : row.delivered_at ?? row.dead_at ?? row.deadline) },
                { title: 'Type', cell: (row) => outside(row.event_type) },
                { title: 'Error', kind: 'wide', cell: (row) => (row.error_class || row.last_error) && briefError(row) },
            ],
        }), pager(page, plural(page.rows.length, 'delivery', 'deliveries'))],
};
