// Doctor: the findings of `postrider doctor`, the worst first, each with its remedy.
import { get } from '../core/api.js';
import { copy } from '../parts/ask.js';
import { h, outside } from '../core/dom.js';
import { plural } from '../core/format.js';
import { table } from '../parts/list.js';
import { head, state } from '../parts/marks.js';

const levels = ['problem', 'warning', 'note', 'ok'];

export const doctor = {
    title: 'Doctor',
    every: 30000,
    load: ({ signal }) => get('doctor', {}, signal),
    show({ findings }) {
        const found = findings.filter(({ level }) => level !== 'ok').sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
        const fine = findings.filter(({ level }) => level === 'ok');
        return [head('Doctor'), h('p.muted', 'The checks of ', h('code', 'postrider doctor'), ' that the server can run.'),
            table({
                label: 'Findings', rows: found, key: (row) => `${row.check} ${row.what}`, empty: [h('strong', 'Nothing needs attention.')],
                columns: [
                    { title: 'Level', cell: (row) => state('finding', row.level) },
                    { title: 'Check', cell: (row) => outside(row.check) },
                    { title: 'Finding', kind: 'wide', cell: (row) => [outside(row.what), row.why && h('div.muted', outside(row.why))] },
                    { title: 'Remedy', kind: 'wide', cell: (row) => row.do && [outside(row.do, 'code.wrap'), ' ',
                        h('button.small', { type: 'button', 'aria-label': `Copy the remedy of ${row.check}`, click: () => copy(row.do) }, 'Copy')] },
                ],
            }),
            h('details', h('summary', `${plural(fine.length, 'check')} without findings`),
                h('ul', fine.map((row) => h('li', outside(row.check), ': ', outside(row.what)))))];
    },
};
