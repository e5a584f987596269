// Dead letters by fingerprint, largest group first.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, duration, plural } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { briefError, groupPage, handlerLink, head, sparkBars } from '../parts/marks.js';
import { here, link } from '../core/route.js';
import { groupLink } from './overview.js';

export function tabs(current) {
    const all = [['Groups', ['dead-letters']], ['List', ['dead-letters', 'list']], ['Discarded', ['dead-letters', 'discarded']]];
    return h('nav.row', { 'aria-label': 'Dead letters' }, all.map(([text, parts]) =>
        h('a.button.small', { href: link(parts), 'aria-current': text === current ? 'page' : null, class: text === current ? 'button small main' : null }, text)));
}

function replayLink(row) {
    return link(['replays', 'new'], { consumer: row.consumer, channel: row.channel, handler: row.handler, fingerprint: row.fingerprint });
}

function spark(row) {
    const span = duration(row.bucket_s * row.buckets.length);
    return sparkBars(row.buckets, `${plural(row.count, 'death')} over ${span}, the newest ${duration((Date.now() - Date.parse(row.last_seen)) / 1000)} ago`);
}

const keyOf = (row) => `${row.consumer} ${row.handler} ${row.channel} ${row.fingerprint}`;

export const groups = {
    title: 'Dead letters',
    every: 10000,
    load: ({ query, signal }) => get('dead-letter-groups',
        { consumer: query.consumer, handler: query.handler, limit: 50, after: query.after }, signal),
    show: (page, { query, me, mayOperate }) => [head('Dead letters', tabs('Groups')),
        filterForm([{ name: 'consumer', title: 'Consumer' }, { name: 'handler', title: 'Handler' }], { label: 'Filter groups' }),
        table({
            label: 'Groups of dead letters', rows: page.rows, key: keyOf,
            empty: query.consumer || query.handler ? [h('strong', 'No dead letter matches.'), h('span', 'Clear the filter to see all of them.')]
                : [h('strong', 'No dead letters.'), h('span', 'Messages without attempts left appear here, grouped by fingerprint.')],
            columns: [
                { title: 'Count', kind: 'num', cell: (row) => h('a', { href: groupLink(row), 'aria-label': `${plural(row.count, 'dead letter')} of ${row.handler}` }, count(row.count)) },
                { title: 'Over time', cell: spark },
                { title: 'Error', kind: 'wide', cell: (row) => briefError(row, row.sample_error) },
                { title: 'Handler', cell: (row) => [handlerLink(row), h('div.muted', outside(row.consumer))] },
                { title: 'Type', cell: (row) => outside(row.event_type) },
                { title: 'First', kind: 'tight', cell: (row) => ago(row.first_seen) },
                { title: 'Last', kind: 'tight', cell: (row) => ago(row.last_seen) },
                { title: 'Actions', kind: 'tight', cell: (row) => h('div.row',
                    h('a', { href: link(['dead-letters', row.sample_delivery_id]) }, 'Newest'),
                    !me.workspace && row.fingerprint && h('a', { href: groupPage(row), 'aria-label': `Group of ${row.handler}: ${row.error_class ?? ''}` }, 'Group'),
                    mayOperate && h('a', { href: replayLink(row) }, 'Replay …')) },
            ],
        }), pager(page, plural(page.rows.length, 'group'))],
    keys: (page) => ({
        r: ['Replay the group', () => {
            const at = here().query.at;
            const row = page.rows.find((candidate) => keyOf(candidate) === at);
            if (row) {
                location.hash = replayLink(row);
            }
        }],
    }),
};
