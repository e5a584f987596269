// Consumers: how far behind they are, and whether they are handed anything.
import { get, path, post } from '../core/api.js';
import { ask, reasonField, tell } from '../parts/ask.js';
import { h, outside } from '../core/dom.js';
import { ago, count, plural, stamp } from '../core/format.js';
import { filterForm, pager, table } from '../parts/list.js';
import { consumerState, decided, facts, head, state } from '../parts/marks.js';
import { plan } from '../parts/plan.js';
import { here, link } from '../core/route.js';
import { waitingLink } from './deliveries.js';

async function turn(row, reload) {
    const verb = row.paused ? 'resume' : 'pause';
    const text = row.paused ? 'Its workers get messages again, at once.'
        : `Its ${plural(row.workers, 'worker')} ${row.workers === 1 ? 'finishes' : 'finish'} current messages and receive no more. No message is lost: messages wait in the log.`;
    const title = row.paused ? 'Resume' : 'Pause';
    const done = await ask({ title: `${title} ${row.consumer}?`, text: h('p', text), fields: [reasonField], action: title,
        danger: !row.paused,
        perform: ({ reason }) => post(`consumers/${path(row.consumer)}/${verb}`, { channel: row.channel, reason }) });
    if (done) {
        tell(`${row.consumer} is ${row.paused ? 'resumed' : 'paused'}.`);
        reload();
    }
}

/** To an instant: messages before it are skipped, messages since then are delivered again. */
async function seek(row, reload) {
    const where = `consumers/${path(row.consumer)}/seek`;
    const done = await plan({
        title: `Move ${row.consumer} to an instant`,
        text: h('p', 'Messages before the instant that no worker has had yet are skipped. Messages since the instant are delivered again.'),
        fields: [{ name: 'to', title: 'Instant, or age', note: '2026-03-01T12:00Z, 90m, 2h or 3d. Empty: now, which skips every message that waits.' }],
        look: ({ to }) => post(`${where}/preview`, { channel: row.channel, ...(to && { to }) }),
        told: ({ to, skipped, waiting, again }) => ({ title: `Move ${row.consumer}?`, action: 'Seek', danger: true, text: facts([['To', stamp(to)],
            ['Skipped', `${plural(skipped, 'message')}: never delivered${waiting > 0 ? `; ${count(waiting)} of them wait for their time or have a priority` : ''}`],
            ['Again', `${plural(again, 'message')}: delivered again, as far as the log has them`], ['Stay', 'running messages, retries and dead letters']]) }),
        perform: ({ to }, values, reason) => post(where, { channel: row.channel, to, reason }),
    });
    if (done) {
        tell(`${row.consumer} is moved: ${count(done.skipped)} skipped, ${count(done.again)} delivered again.`);
        reload();
    }
}

const keyOf = (row) => `${row.consumer} ${row.channel}`;

// Counts over all workspaces are missing for a token of one workspace.
const figures = [
    { title: 'Behind since', kind: 'tight', cell: (row) => (row.behind_since ? ago(row.behind_since) : h('span.muted', 'up to date')) },
    { title: 'In flight', kind: 'num', cell: (row) => count(row.leased) },
    { title: 'Retrying', kind: 'num', cell: (row) => (row.pending > 0 ? h('a', { href: waitingLink(row) }, count(row.pending)) : '0') },
    { title: 'Dead', kind: 'num', cell: (row) => (row.failed > 0 ? h('a', { href: link(['dead-letters', 'list'],
        { consumer: row.consumer, channel: row.channel }) }, count(row.failed)) : '0') },
];

export const consumers = {
    title: 'Consumers',
    every: 5000,
    load: ({ query, signal }) => get('consumers', { consumer: query.consumer, limit: 50, after: query.after }, signal),
    show: (page, { mayControl, me, reload }) => [head('Consumers'), filterForm([{ name: 'consumer', title: 'Consumer' }], { label: 'Filter consumers' }),
        table({
            label: 'Consumers', rows: page.rows, key: keyOf,
            empty: [h('strong', 'No consumer matches.'), h('span', 'A worker makes its consumer when it starts.')],
            columns: [
                { title: 'Consumer', cell: (row) => [outside(row.consumer), h('div.muted', outside(row.channel))] },
                { title: 'State', cell: (row) => [state('consumer', consumerState(row)),
                    row.paused && decided(row.paused_by, row.paused_reason, row.paused_at)] },
                ...(me.workspace ? [] : figures),
                { title: 'Handlers', kind: 'num', cell: (row) => h('a', { href: link(['handlers'], { consumer: row.consumer }) }, count(row.handlers)) },
                { title: 'Held', cell: (row) => (row.held_handlers ?? []).length > 0 && outside(row.held_handlers.join(', ')) },
                { title: 'Workers', kind: 'num', cell: (row) => (me.workspace ? count(row.workers)
                    : h('a', { href: link(['workers'], { consumer: row.consumer }) }, count(row.workers))) },
                { title: 'Actions', cell: (row) => mayControl && h('div.row',
                    h('button.small', { type: 'button', 'aria-label': `${row.paused ? 'Resume' : 'Pause'} ${row.consumer}`, click: () => turn(row, reload) }, row.paused ? 'Resume …' : 'Pause …'),
                    h('button.small', { type: 'button', 'aria-label': `Seek ${row.consumer}`, click: () => seek(row, reload) }, 'Seek …')) },
            ],
        }), pager(page, plural(page.rows.length, 'consumer'))],
    keys: (page, { mayControl, reload }) => (mayControl ? { p: ['Pause or resume it', () => {
        const row = page.rows.find((candidate) => keyOf(candidate) === here().query.at);
        if (row) {
            turn(row, reload);
        }
    }] } : {}),
};
