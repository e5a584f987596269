// Limits of handlers: definition, running and throttled messages.
import { get } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, plural } from '../core/format.js';
import { changeLimit, removeLimit, rules } from '../parts/limit.js';
import { filterForm, pager, table } from '../parts/list.js';
import { handlerPage, head } from '../parts/marks.js';

function keysOf({ keys, definition }) {
    return keys.length > 0 && h('details', h('summary', `by ${definition.key}`),
        h('ul.plain', keys.map(({ key, throttled, since }) => h('li', key === '' ? h('span.muted', `without ${definition.key}`) : outside(key),
            h('span.muted', ` ${count(throttled)}, since `, ago(since))))));
}

export const limits = {
    title: 'Limits',
    every: 5000,
    load: ({ query, signal }) => get('limits', { consumer: query.consumer, limit: 50, after: query.after }, signal),
    show: (page, { mayControl, reload }) => [head('Limits'), filterForm([{ name: 'consumer', title: 'Consumer' }], { label: 'Filter limits' }),
        table({
            label: 'Limits', rows: page.rows, key: (row) => `${row.consumer} ${row.channel} ${row.handler}`,
            empty: [h('strong', 'No limits.'), h('span', 'Set one with postrider limit set, or on the page of a handler. Messages that wait for a limit spend no attempt.')],
            columns: [
                { title: 'Handler', cell: (row) => [h('a', { href: handlerPage(row) }, outside(row.handler)),
                    h('div.muted', outside(row.consumer), ' on ', outside(row.channel))] },
                { title: 'Allows', cell: (row) => [rules(row.definition).map((rule) => outside(rule, 'div.wrap')),
                    !row.binds && h('div.muted', 'Its workers have fewer threads: the limit is not reached.')] },
                { title: 'Running', kind: 'num', cell: (row) => count(row.running) },
                { title: 'Throttled', kind: 'num', cell: (row) => (row.throttled > 0 ? h('span.warn', count(row.throttled)) : '0') },
                { title: 'Waiting since', kind: 'tight', cell: (row) => ago(row.throttled_since) },
                { title: 'Keys', cell: keysOf },
                { title: 'Set', kind: 'tight', cell: (row) => [ago(row.set_at), h('div.muted', row.declared ? 'declared by ' : 'by ', outside(row.set_by))] },
                { title: 'Actions', kind: 'tight', cell: (row) => mayControl && h('div.row',
                    h('button.small', { type: 'button', 'aria-label': `Change the limit of ${row.handler}`, click: () => changeLimit(row, reload) }, 'Change …'),
                    h('button.small', { type: 'button', 'aria-label': `Remove the limit of ${row.handler}`, click: () => removeLimit(row, reload) }, 'Remove …')) },
            ],
        }), pager(page, plural(page.rows.length, 'limit'))],
};
