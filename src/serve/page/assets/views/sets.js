// Sets of jobs: how many members are open, and the message that follows them. Unique keys that jobs hold.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, plural } from '../core/format.js';
import { cancelKey } from '../parts/cancel.js';
import { filterForm, pager, table } from '../parts/list.js';
import { handlerLink, head } from '../parts/marks.js';
import { link } from '../core/route.js';

const deaths = { ends: 'a dead member counts as ended', blocks: 'a dead member keeps it open' };

function follows(row) {
    const title = row.event_type ? outside(row.event_type) : 'its message';
    return [row.message_id ? h('a', { href: link(['messages', row.message_id]) }, title) : title,
        row.target && h('div.muted', 'for ', outside(row.target)), row.problem && h('div.bad', outside(row.problem, 'span.wrap'))];
}

export const sets = {
    title: 'Sets',
    every: 5000,
    load: ({ query, signal }) => get('sets', { name: query.name, limit: 50, after: query.after }, signal),
    show: (page) => [head('Sets of jobs'), filterForm([{ name: 'name', title: 'Name' }], { label: 'Filter sets' }),
        table({
            label: 'Sets', rows: page.rows, key: (row) => row.set_id,
            empty: [h('strong', 'No sets.'), h('span', 'A set publishes a message when all its jobs have ended.')],
            columns: [
                { title: 'Set', cell: (row) => [outside(row.name), h('div.muted', deaths[row.dead] ?? outside(row.dead))] },
                { title: 'Open', kind: 'num', cell: (row) => count(row.open) },
                { title: 'Ended', kind: 'num', cell: (row) => count(row.ended) },
                { title: 'Failed', kind: 'num', cell: (row) => (row.failed > 0 ? h('span.warn', count(row.failed)) : '0') },
                { title: 'Then publishes', kind: 'wide', cell: follows },
                { title: 'Created', kind: 'tight', cell: (row) => [ago(row.created_at), h('div.muted', 'by ', outside(row.created_by))] },
                { title: 'Completed', kind: 'tight', cell: (row) => ago(row.completed_at) },
            ],
        }), pager(page, plural(page.rows.length, 'set'))],
};

const scopes = { until_started: 'until it is started', until_finished: 'until it has ended', period: 'for a period', serial: 'one at a time' };

export const uniqueKeys = {
    title: 'Unique keys',
    every: 5000,
    load: ({ query, signal }) => get('unique-keys', { limit: 50, after: query.after }, signal),
    show: (page, { mayOperate, reload }) => [head('Unique keys'),
        table({
            label: 'Unique keys', rows: page.rows, key: (row) => `${row.consumer} ${row.handler} ${row.key} ${row.running}`,
            empty: [h('strong', 'No unique key is held.'), h('span', 'While a job holds its key, publishing the same key publishes nothing.')],
            columns: [
                { title: 'Key', kind: 'wide', cell: (row) => outside(row.key) },
                { title: 'Handler', cell: handlerLink },
                { title: 'Held', cell: (row) => [scopes[row.scope] ?? outside(row.scope), row.running && h('div.muted', 'its job runs')] },
                { title: 'Job', kind: 'tight', cell: (row) => h('a.mono', { href: link(['messages', row.id]) }, outside(row.id)) },
                { title: 'Since', kind: 'tight', cell: (row) => ago(row.taken_at) },
                { title: 'Until', kind: 'tight', cell: (row) => ago(row.expires_at) },
                { title: 'Actions', cell: (row) => mayOperate && h('button.small', { type: 'button', 'aria-label': `Cancel the job of ${row.key}`,
                    click: () => cancelKey(row, reload) }, 'Cancel …') },
            ],
        }), pager(page, plural(page.rows.length, 'key'))],
};
