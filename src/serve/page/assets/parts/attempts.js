// The failed attempts of a delivery, one line each.
import { h, outside } from '../core/dom.js';
import { ago, milliseconds, stamp } from '../core/format.js';
import { link } from '../core/route.js';
import { table } from './list.js';
import { briefError, state } from './marks.js';

/** rows: of one delivery, oldest first. */
export function attemptsTable(rows) {
    return rows.length === 0 ? h('p.muted', 'No failed attempt is recorded.') : table({
        label: 'Attempts', rows, key: (row) => `${row.cycle} ${row.attempt} ${row.at}`,
        columns: [
            { title: 'Attempt', kind: 'num', cell: (row) => `${row.attempt}${row.cycle > 1 ? `, cycle ${row.cycle}` : ''}` },
            { title: 'Ended', cell: (row) => h('time', { datetime: row.at, title: stamp(row.at) }, ago(row.at)) },
            { title: 'Outcome', cell: (row) => state('outcome', row.outcome, 'bad') },
            { title: 'Took', kind: 'num', cell: (row) => milliseconds(row.duration_ms) },
            { title: 'Worker', cell: (row) => row.worker && h('a.mono', { href: link(['workers'], { all: '1', at: row.worker }), title: row.worker }, row.worker.slice(0, 8)) },
            { title: 'Error', kind: 'wide', cell: (row) => (row.error ? briefError(row, row.error) : row.error_class && outside(row.error_class, 'span.chip')) },
        ] });
}
