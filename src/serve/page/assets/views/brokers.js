// Brokers: relays that publish to them, and handlers that receive from them.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, plural } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { handlerPage, head } from '../parts/marks.js';
import { link } from '../core/route.js';
import { waitingLink } from './deliveries.js';
import { circuitState } from './handlers.js';

function behind(row) {
    return row.direction === 'from' ? h('span.muted', 'see the broker')
        : row.behind_since ? ago(row.behind_since) : h('span.muted', 'up to date');
}

export const brokers = {
    title: 'Brokers',
    every: 5000,
    load: ({ query, signal }) => get('brokers', { consumer: query.consumer, limit: 50, after: query.after }, signal),
    show: (page) => [head('Brokers'), filterForm([{ name: 'consumer', title: 'Consumer' }], { label: 'Filter brokers' }),
        table({
            label: 'Brokers', rows: page.rows, key: (row) => `${row.consumer} ${row.channel} ${row.handler}`,
            empty: [h('strong', 'No relays, and no workers behind a broker.'),
                h('span', 'postrider relay publishes messages to NATS, Redis, Kafka, pgmq or a webhook; postrider work --source receives from a broker.')],
            columns: [
                { title: 'Handler', cell: (row) => [h('a', { href: handlerPage(row) }, outside(row.handler)),
                    h('div.muted', outside(row.consumer), ' on ', outside(row.channel))] },
                { title: 'Broker', kind: 'wide', cell: (row) => [h('div.muted', row.direction === 'to' ? 'publishes to' : 'receives from'), outside(row.address, 'bdi.mono'),
                    row.name && h('div.muted', outside(row.name, 'bdi.mono'))] },
                { title: 'Circuit', kind: 'wide', cell: (row) => circuitState({ ...row, circuit_error: row.last_error, circuit_error_class: row.error_class }) },
                { title: 'Behind since', kind: 'tight', cell: behind },
                { title: 'Retrying', kind: 'num', cell: (row) => (row.pending > 0 ? h('a', { href: waitingLink(row) }, count(row.pending)) : '0') },
                { title: 'Dead', kind: 'num', cell: (row) => (row.failed > 0 ? h('a', { href: link(['dead-letters', 'list'],
                    { consumer: row.consumer, channel: row.channel, handler: row.handler }) }, count(row.failed)) : '0') },
                { title: 'Workers', kind: 'num', cell: (row) => (row.workers === 0 ? h('span.warn', '0') : count(row.workers)) },
            ],
        }), pager(page, plural(page.rows.length, 'handler'))],
};
