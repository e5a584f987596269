// Handlers: event types, retry policies and circuits.
import { get, path, post } from '../core/api.js';
import { ask, reasonField, tell } from '../parts/ask.js';
import { h, outside } from '../core/dom.js';
import { ago, count, plural } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { briefError, decided, handlerPage, head, state } from '../parts/marks.js';
import { policyWords } from '../parts/policy.js';
import { here, link } from '../core/route.js';
import { waitingLink } from './deliveries.js';

const modes = {
    held: ['hold', 'Stop', 'The handler does not run until an operator sets it to “Automatic” or “Always run”. Waiting uses no attempts.', 'is stopped'],
    forced: ['force', 'Always run', 'The handler runs regardless of failures. Failures use up attempts.', 'runs regardless of failures'],
    automatic: ['release', 'Automatic', 'The circuit opens after failures, as by default. An open circuit is probed at once.', 'is automatic again'],
    // Of a circuit that is automatic already.
    release: ['release', 'Release', 'An open circuit is probed at once. A trial ends: messages that have failed are due.', 'is released'],
};

async function set(row, mode, reload) {
    const [verb, title, text, result] = modes[mode];
    const done = await ask({ title: `${title}: ${row.handler}?`, text: [h('p', text), h('p.muted', 'On the command line: ', h('code', `postrider handlers ${verb}`), '.')], fields: [reasonField], action: title,
        danger: mode === 'held',
        perform: ({ reason }) => post(`handlers/${path(row.consumer, row.handler)}/${verb}`, { channel: row.channel, reason }) });
    if (done) {
        tell(`${row.handler} ${result}.`);
        reload();
    }
}

export function circuitState(row) {
    const probe = row.probe_at && row.probe_at !== 'infinity' && row.circuit_state === 'open';
    return [state('circuit', row.circuit_state), row.circuit_mode !== 'automatic' && [' ', state('mode', row.circuit_mode)],
        row.circuit_mode !== 'automatic' && decided(row.mode_by, row.mode_reason),
        row.opened_at && row.circuit_state !== 'closed' && h('div.muted', 'since ', ago(row.opened_at)),
        probe && h('div.muted', 'probed ', ago(row.probe_at)),
        row.circuit_error && row.circuit_state !== 'closed' && h('div', briefError({ error_class: row.circuit_error_class }, row.circuit_error))];
}

function policy(row) {
    const [first, second] = policyWords(row);
    return h('details', h('summary', plural(row.max_attempts, 'attempt')), h('p', first), row.max_attempts > 1 && h('p', second));
}

const keyOf = (row) => `${row.consumer} ${row.handler} ${row.channel}`;

/** Buttons for the other modes of the circuit, and to release it. */
export function modeButtons(row, { mayControl, reload }) {
    const offered = (mode) => (mode === 'release' ? row.circuit_mode === 'automatic' && row.circuit_state !== 'closed' : mode !== row.circuit_mode);
    return mayControl && h('div.row', Object.keys(modes).filter(offered).map((mode) => h('button.small', { type: 'button',
        'data-mode': mode, 'aria-label': `${modes[mode][1]} ${row.handler}`, click: () => set(row, mode, reload) }, `${modes[mode][1]} …`)));
}

// Counts over all workspaces are missing for a token of one workspace.
const figures = [
    { title: 'Retrying', kind: 'num', cell: (row) => (row.pending > 0 ? h('a', { href: waitingLink(row) }, count(row.pending)) : '0') },
    { title: 'Dead', kind: 'num', cell: (row) => (row.failed > 0 ? h('a', { href: link(['dead-letters', 'list'],
        { consumer: row.consumer, channel: row.channel, handler: row.handler }) }, count(row.failed)) : '0') },
];

export const handlers = {
    title: 'Handlers',
    every: 5000,
    load: ({ query, signal }) => get('handlers', { consumer: query.consumer, handler: query.handler, limit: 50, after: query.after }, signal),
    show: (page, { me, ...context }) => [head('Handlers'),
        filterForm([{ name: 'consumer', title: 'Consumer' }, { name: 'handler', title: 'Handler' }], { label: 'Filter handlers' }),
        !me.workspace && h('p', h('a', { href: link(['unmatched']) }, 'Targets and event types that match nothing')),
        table({
            label: 'Handlers', rows: page.rows, key: keyOf,
            empty: [h('strong', 'No handler matches.'), h('span', 'A worker registers its handlers when it starts.')],
            columns: [
                { title: 'Handler', cell: (row) => [me.workspace ? outside(row.handler) : h('a', { href: handlerPage(row) }, outside(row.handler)),
                    h('div.muted', outside(row.consumer), ' on ', outside(row.channel))] },
                { title: 'Types', cell: (row) => outside(row.event_types.join(', ')) },
                { title: 'Circuit', kind: 'wide', cell: circuitState },
                { title: 'Policy', cell: policy },
                ...(me.workspace ? [] : figures),
                { title: 'Workers', kind: 'num', cell: (row) => (row.workers === 0 ? h('span.warn', '0') : count(row.workers)) },
                { title: 'Actions', cell: (row) => modeButtons(row, context) },
            ],
        }), pager(page, plural(page.rows.length, 'handler'))],
    keys: (page, { mayControl, reload }) => {
        const current = () => page.rows.find((row) => keyOf(row) === here().query.at);
        const with_ = (mode) => () => {
            const row = current();
            if (row && row.circuit_mode !== mode) {
                set(row, mode, reload);
            }
        };
        return mayControl ? { s: ['Stop it', with_('held')], a: ['Set it to automatic', with_('automatic')] } : {};
    },
};
