// Targets and event types that match nothing: usually one side is misspelt.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, plural } from '../core/format.js';
import { pager, table } from '../parts/list.js';
import { head } from '../parts/marks.js';

const meanings = {
    target_without_consumer: ['Target without a consumer', 'warn'],
    type_without_handler: ['Type that no handler takes', ''],
    type_without_message: ['Type that no message has', ''],
};

function kind(row) {
    const [text, level] = meanings[row.kind] ?? [row.kind, ''];
    return h(`span.chip${level && `.${level}`}`, text);
}

export const unmatched = {
    title: 'Unmatched names',
    load: ({ signal }) => get('unmatched', {}, signal),
    show: (page) => [head('Unmatched names'),
        h('p.muted', 'Targets and event types of the newest 10,000 messages of each channel, and event types of handlers, without a counterpart.'),
        table({
            label: 'Unmatched names', rows: page.rows, key: (row) => [row.kind, row.channel, row.name, row.consumer, row.handler].join(' '),
            empty: [h('strong', 'Every name matches.'), h('span', 'Targets have consumers, and handlers and messages agree on their types.')],
            columns: [
                { title: 'Name', cell: (row) => [outside(row.name), h('div.muted', 'on ', outside(row.channel))] },
                { title: 'Problem', kind: 'wide', cell: kind },
                { title: 'Similar', cell: (row) => row.closest && outside(row.closest) },
                { title: 'Handler', cell: (row) => [row.handler && outside(row.handler), row.consumer && h('div.muted', outside(row.consumer))] },
                { title: 'Messages', kind: 'num', cell: (row) => count(row.messages) },
                { title: 'Last', kind: 'tight', cell: (row) => row.last_published_at && ago(row.last_published_at) },
            ],
        }), pager(page, plural(page.rows.length, 'name'))],
};
