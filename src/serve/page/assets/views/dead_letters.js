// Dead letters one by one, by pages; those that were discarded likewise.
import { download, get } from '../core/api.js';
import { tell } from '../parts/ask.js';
import { discard, restore } from '../parts/dead_actions.js';
import { describe, fields, filterObject, filterQuery } from '../parts/dead_filter.js';
import { h, outside, replace } from '../core/dom.js';
import { ago, plural } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { briefError, handlerLink, head } from '../parts/marks.js';
import { savedFilters } from '../parts/saved.js';
import { link } from '../core/route.js';
import { tabs } from './groups.js';

const pageSize = 50;
let chosen = new Set();
let chosenFor = '';

/** The selection is kept while the same list is shown, and cleared with another filter. */
function choices(query) {
    const key = JSON.stringify(filterQuery(query));
    if (key !== chosenFor) {
        chosenFor = key;
        chosen = new Set();
    }
    return chosen;
}

function columns(query) {
    return [
        { title: 'Delivery', kind: 'num', cell: (row) => h('a', { href: link(['dead-letters', row.delivery_id]) }, row.delivery_id) },
        { title: 'Died', kind: 'tight', cell: (row) => ago(row.dead_at) },
        !query.handler && { title: 'Handler', cell: handlerLink },
        { title: 'Type', cell: (row) => outside(row.event_type) },
        { title: 'Source', cell: (row) => outside(row.source) },
        { title: 'Attempts', kind: 'num', cell: (row) => `${row.attempts}${row.cycle > 1 ? `, cycle ${row.cycle}` : ''}` },
        { title: 'Error', kind: 'wide', cell: (row) => briefError(row) },
    ].filter(Boolean);
}

function actions(page, context) {
    const { query, reload, redraw } = context;
    const marked = choices(query);
    const filter = filterObject(query);
    const whole = Object.keys(filter).length > 0;
    if (marked.size > 0) {
        const deliveries = [...marked];
        return [h('span.muted', `${marked.size} chosen`),
            h('button.small', { type: 'button', click: () => {
                marked.clear();
                redraw();
            } }, whole ? 'All of this filter instead' : 'None'),
            h('a.button.main', { href: link(['replays', 'new'], { deliveries: deliveries.join(',') }) }, `Replay ${marked.size} …`),
            h('button.danger', { type: 'button', click: async () => {
                if (await discard({ deliveries }, reload)) {
                    marked.clear();
                }
            } }, `Discard ${marked.size} …`)];
    }
    return [h('button.small', { type: 'button', click: () => {
        page.rows.forEach((row) => marked.add(row.delivery_id));
        redraw();
    } }, 'Choose this page'),
    h('a.button.main', { href: link(['replays', 'new'], { ...filterQuery(query), all: whole ? '' : '1' }) }, 'Replay these …'),
        whole && h('button.danger', { type: 'button', click: () => discard(filter, reload) }, 'Discard these …')];
}

/** Files of everything that matches, not of this page alone. */
function exportButtons(query) {
    const save = (format) => () => download('dead-letters/export', { ...filterQuery(query), format }, `dead-letters.${format}`)
        .catch((failure) => tell(`Not exported: ${failure.message}.`));
    return h('div.row', { role: 'group', 'aria-label': 'Export' }, h('span.muted', 'Export all that match'),
        h('button.small', { type: 'button', click: save('jsonl') }, 'JSON lines'), h('button.small', { type: 'button', click: save('csv') }, 'CSV'));
}

export const deadList = {
    title: 'Dead letters',
    load: ({ query, signal }) => get('dead-letters', { ...filterQuery(query), limit: pageSize, after: query.after }, signal),
    show(page, context) {
        const { query, mayOperate } = context;
        const bar = h('div.row', { id: 'list-actions' });
        const refresh = () => replace(bar, mayOperate && page.rows.length > 0 && actions(page, context));
        refresh();
        return [head('Dead letters', tabs('List')), filterForm(fields(context), { label: 'Filter dead letters' }),
            savedFilters(context.redraw),
            h('div.row.between', h('p.muted.wrap', 'Shown: ', outside(describe(query))), bar),
            table({ label: 'Dead letters', rows: page.rows, key: (row) => row.delivery_id, columns: columns(query),
                checked: mayOperate ? choices(query) : undefined, choose: refresh,
                empty: [h('strong', 'No dead letter matches.'),
                    h('span', 'It may have been replayed or discarded meanwhile. ', h('a', { href: link(['replays']) }, 'Replays'), ' ',
                        h('a', { href: link(['dead-letters', 'discarded']) }, 'Discarded'))] }),
            h('div.row.between', pager(page, plural(page.rows.length, 'dead letter')), page.rows.length > 0 && exportButtons(query))];
    },
};

export const discarded = {
    title: 'Discarded',
    load: ({ query, signal }) => get('discarded', { ...filterQuery(query), limit: pageSize, after: query.after }, signal),
    show: (page, context) => [head('Discarded', tabs('Discarded')), filterForm(fields(context), { label: 'Filter discarded' }),
        table({
            label: 'Discarded dead letters', rows: page.rows, key: (row) => row.delivery_id,
            empty: [h('strong', 'No discarded dead letters.'), h('span', 'Discarded dead letters stay here until their grace period ends.')],
            columns: [
                { title: 'Delivery', kind: 'num', cell: (row) => row.delivery_id },
                { title: 'Discarded', kind: 'tight', cell: (row) => ago(row.deleted_at) },
                { title: 'Reason', kind: 'wide', cell: (row) => [outside(row.deleted_reason ?? ''),
                    row.successor && h('div', 'replaced by ', h('a.mono', { href: link(['messages', row.successor]) }, row.successor))] },
                { title: 'Handler', cell: handlerLink },
                { title: 'Type', cell: (row) => outside(row.event_type) },
                { title: 'Error', cell: (row) => briefError(row) },
                { title: 'Actions', kind: 'tight', cell: (row) => context.mayOperate && !row.successor &&
                    h('button.small', { type: 'button', 'aria-label': `Restore ${row.delivery_id}`,
                        click: () => restore({ deliveries: [row.delivery_id] }, 1, context.reload) }, 'Restore …') },
            ],
        }), pager(page, plural(page.rows.length, 'dead letter'))],
};
