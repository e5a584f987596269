// Replays: all of them, and one while it runs and after it ended.
import { get, path, post } from '../core/api.js';
import { ask, reasonField, tell } from '../parts/ask.js';
import { describe, filterFromObject } from '../parts/dead_filter.js';
import { h, outside, svg } from '../core/dom.js';
import { ago, count, plural, when } from '../core/format.js';
import { pager, table } from '../parts/list.js';
import { briefError, crumbs, facts, head, messageLink, state } from '../parts/marks.js';
import { link } from '../core/route.js';
import { stateText } from '../core/states.js';

const outcomes = ['delivered', 'failed', 'moved', 'waiting', 'skipped', 'cancelled'].map((outcome) => [outcome, stateText('item', outcome)]);
const underWay = (row) => ['canary', 'running'].includes(row.phase);
const ended = (row) => ['finished', 'cancelled'].includes(row.phase);

/** Parts of a whole as one bar. */
function progress(row) {
    let from = 0;
    const share = (name) => (row.total > 0 ? (100 * row[name]) / row.total : 0);
    const done = row.total - row.waiting - row.moved;
    return svg('svg', { class: 'progress', viewBox: '0 0 100 14', preserveAspectRatio: 'none', role: 'img',
        'aria-label': `${count(done)} of ${count(row.total)} ended` }, outcomes.map(([name]) => {
        const part = svg('rect', { class: `part-${name}`, x: from, width: share(name), y: 0, height: 14 });
        from += share(name);
        return part;
    }));
}

export const replays = {
    title: 'Replays',
    every: (page) => (page.rows.some(underWay) ? 2000 : 10000),
    load: ({ query, signal }) => get('replays', { limit: 50, after: query.after }, signal),
    show: (page, { mayOperate }) => [
        head('Replays', mayOperate && h('a.button.main', { href: link(['replays', 'new']) }, 'New replay …')),
        table({
            label: 'Replays', rows: page.rows, key: (row) => row.replay,
            empty: [h('strong', 'Nothing was replayed yet.'), h('span', 'A replay gives dead letters another life: ',
                h('a', { href: link(['dead-letters']) }, 'begin with a group of them'), '.')],
            columns: [
                { title: 'Replay', kind: 'num', cell: (row) => h('a', { href: link(['replays', row.replay]) }, row.replay) },
                { title: 'Phase', cell: (row) => state('replay', row.phase) },
                { title: 'Progress', cell: progress },
                { title: 'Total', kind: 'num', cell: (row) => count(row.total) },
                { title: 'Delivered', kind: 'num', cell: (row) => count(row.delivered) },
                { title: 'Died again', kind: 'num', cell: (row) => (row.failed > 0 ? h('span.bad', count(row.failed)) : '0') },
                { title: 'Started', kind: 'tight', cell: (row) => ago(row.started_at) },
                { title: 'By', cell: (row) => outside(row.actor) },
                { title: 'Reason', kind: 'wide', cell: (row) => outside(row.reason) },
            ],
        }), pager(page, plural(page.rows.length, 'replay'))],
};

/** The replay, one page of its items, and which of those are dead letters now. */
async function load({ parts, query, signal }) {
    const where = `replays/${path(parts[1])}`;
    const row = await get(where, {}, signal);
    const outcome = query.outcome ?? (row.failed > 0 ? 'failed' : '');
    const items = await get(`${where}/items`, { outcome, limit: 50, after: query.after }, signal);
    const asked = items.rows.filter((item) => !['delivered', 'moved'].includes(item.outcome)).map((item) => item.delivery_id);
    const dead = asked.length > 0 ? await get('dead-letters', { deliveries: asked.join(','), limit: 50 }, signal) : { rows: [] };
    return { row, items, outcome, dead: dead.rows.map((one) => one.delivery_id) };
}

const steps = {
    approve: ['Approve', (row) => `${plural(row.total, 'dead letter')} will run again, as proposed.`, 'main'],
    resume: ['Resume', (row) => `${plural(row.waiting, 'waiting item')} will run.`, 'main'],
    anyway: ['Run the rest anyway', (row) => `The canary failed. ${plural(row.waiting, 'waiting item')} will run all the same, and can fail the same way.`,
        'danger', 'resume'],
    pause: ['Pause', (row) => `${plural(row.waiting, 'waiting item')} will stay until an operator resumes the replay. Items already moved continue to run.`, ''],
    cancel: ['Cancel the rest', (row) => `${plural(row.waiting, 'waiting item')} will stay dead. Items already moved are not affected.`, 'danger'],
    refuse: ['Refuse', (row) => `No item runs; ${plural(row.total, 'dead letter')} will stay dead.`, 'danger', 'cancel'],
};

/** A canary item died again, and the rest has not run. */
const canaryFailed = (row) => row.canary > 0 && !row.canary_passed && row.failed > 0;

function canaryText(row) {
    if (!(row.canary > 0)) {
        return 'none';
    }
    const stands = row.canary_passed ? 'passed' : row.failed > 0 ? (row.phase === 'running' || row.phase === 'finished' ? 'failed, the rest was run anyway' : 'failed')
        : row.phase === 'canary' ? 'running' : row.phase === 'proposed' ? 'runs first' : row.phase === 'paused' ? 'not finished' : 'not run to its end';
    return `${plural(Math.min(row.canary, row.total), 'item')}: ${stands}`;
}

/** A person cannot approve their own proposal; the database enforces it. */
const ownProposal = (row, me) => row.phase === 'proposed' && row.actor === me.name;

function possible(row, me) {
    return row.phase === 'proposed' ? (ownProposal(row, me) ? ['refuse'] : ['approve', 'refuse']) : underWay(row) ? ['pause', 'cancel']
        : row.phase !== 'paused' ? [] : canaryFailed(row) ? ['cancel', 'anyway'] : ['resume', 'cancel'];
}

/** After a failed canary the safe step is the first choice. */
const lookOf = (step, row) => (step === 'cancel' && canaryFailed(row) ? 'main' : steps[step][2]);

async function take(step, row, reload) {
    const [title, text, , verb = step] = steps[step];
    const look = lookOf(step, row);
    const done = await ask({ title: `${title}: replay ${row.replay}?`, text: h('p', text(row)), fields: [reasonField], action: title,
        danger: look === 'danger', perform: ({ reason }) => post(`replays/${path(row.replay)}/${verb}`, { reason }) });
    if (done) {
        tell(`Replay ${row.replay}: done.`);
        reload();
    }
}

function sentence(row) {
    const text = { canary: 'The canary runs', running: 'It runs', paused: 'It is paused', finished: 'It has finished',
        cancelled: 'It was cancelled', proposed: 'It waits for approval' }[row.phase] ?? row.phase;
    return h('p', h('strong', { id: 'phase' }, text), row.paused_reason && [': ', outside(row.paused_reason)], '. ',
        h('span', { id: 'summary' }, outside(row.summary)), '.');
}

/** The actors who proposed or started and approved a replay. started_at of a proposal is when it was made. */
function origin(row) {
    const by = (at, actor) => [when(at), ' by ', outside(actor)];
    return row.phase === 'proposed'
        ? [['Proposed', by(row.started_at, row.actor)], ['Until', row.expires_at && when(row.expires_at)]]
        : row.approved_by ? [['Proposed', ['by ', outside(row.actor)]], ['Approved', by(row.approved_at, row.approved_by)]]
            : [['Started', by(row.started_at, row.actor)]];
}

function items({ row, items: page, outcome, dead }) {
    const choice = (name, text) => h('a.button.small', { href: link(['replays', row.replay], { outcome: name }),
        class: outcome === name ? 'button small main' : null, 'aria-current': outcome === name ? 'true' : null }, text);
    return h('section.stack', { 'aria-label': 'Items' }, h('h2', 'Items'),
        h('div.row', choice('all', 'All'), outcomes.filter(([name]) => row[name] > 0).map(([name, text]) => choice(name, `${count(row[name])} ${text}`))),
        table({ label: 'Items', rows: page.rows, key: (item) => item.number, empty: 'No item has this outcome.', columns: [
            { title: 'No.', kind: 'num', cell: (item) => String(item.number) },
            { title: 'Outcome', cell: (item) => state('item', item.outcome) },
            { title: 'Delivery', kind: 'num', cell: (item) => (dead.includes(item.delivery_id)
                ? h('a', { href: link(['dead-letters', item.delivery_id]) }, item.delivery_id) : item.delivery_id) },
            { title: 'Message', cell: (item) => messageLink(item.id) },
            { title: 'Why', kind: 'wide', cell: (item) => (item.note ? outside(item.note) : (item.last_error || item.error_class) && briefError(item)) },
            { title: 'Ran', kind: 'tight', cell: (item) => ago(item.moved_at) },
            { title: 'Ended', kind: 'tight', cell: (item) => ago(item.ended_at) },
        ] }), pager(page, plural(page.rows.length, 'item')));
}

export const replay = {
    title: ({ row }) => `Replay ${row.replay}`,
    every: ({ row }) => (ended(row) && row.moved === 0 ? 0 : row.phase === 'paused' ? 5000 : 1000),
    load: (context) => load({ ...context, query: { ...context.query, outcome: context.query.outcome === 'all' ? '' : context.query.outcome } }),
    show(data, { mayOperate, me, reload }) {
        const { row } = data;
        const filter = filterFromObject(row.filter);
        return [crumbs(['Replays', ['replays']]),
            head(['Replay ', row.replay, ' ', state('replay', row.phase)], mayOperate && possible(row, me).map((step) =>
                h('button', { type: 'button', id: `step-${step}`, class: lookOf(step, row), click: () => take(step, row, reload) }, `${steps[step][0]} …`)),
            mayOperate && ended(row) && row.failed > 0 && h('a.button.main', { href: link(['replays', 'new'], { replay: row.replay }) },
                `Replay the ${plural(row.failed, 'item')} that died …`)),
            h('section.sheet.stack', { 'aria-label': 'Progress' }, sentence(row),
                ownProposal(row, me) && h('p', 'You have proposed it: another person has to approve it.'), progress(row),
                h('div.row', outcomes.map(([name, text]) => h('span', h(`span.swatch.part-${name}`), `${count(row[name])} ${text}`))),
                underWay(row) && row.waiting > 0 && h('p.muted', 'Workers continue it within a minute.')),
            h('section.sheet', facts([
                ['Reason', row.reason], ...origin(row),
                ['Which', h('a', { href: link(['dead-letters', 'list'], filter) }, outside(describe(filter)))],
                ['Canary', canaryText(row)],
                ['Per second', row.rate === null ? 'no limit' : String(row.rate)], ['Generation', row.generation],
                ['Ended', row.ended_at && when(row.ended_at)]])),
            items(data)];
    },
    keys: ({ row }, { mayOperate, me, reload }) => (mayOperate ? Object.fromEntries(possible(row, me).map((step) =>
        [step === 'anyway' ? 'r' : step[0], [steps[step][0], () => take(step, row, reload)]])) : {}),
};
