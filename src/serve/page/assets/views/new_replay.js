// A new replay: filter, preview, options, reason. The URL holds the state.
import { post } from '../core/api.js';
import { ask, problem } from '../parts/ask.js';
import { describe, fields, filterObject, filterQuery, fixedAt } from '../parts/dead_filter.js';
import { h, outside, replace } from '../core/dom.js';
import { ago, count, duration, plural, when } from '../core/format.js';
import { filterForm, table } from '../parts/list.js';
import { briefError, crumbs, facts, head } from '../parts/marks.js';
import { go, link, note } from '../core/route.js';

/** The preview returns its instant: the replay takes the dead letters of that instant, and is refused if there are more. */
async function load({ query, signal }) {
    const filter = filterObject(query);
    const meant = Object.keys(filter).length > 0 || query.all === '1';
    const preview = meant ? await post('replays/preview', { filter, exact: query.exact === '1' }) : null;
    signal.throwIfAborted();
    return { filter, preview };
}

function whichStep(context) {
    const { query } = context;
    const listed = query.deliveries || query.ids || query.replay;
    return h('section.sheet.stack', h('h2', 'Which dead letters'),
        listed ? h('p', outside(`Those of your choice: ${describe(query)}`), ' ',
            h('a', { href: link(['replays', 'new']) }, 'choose by a filter instead'))
            : filterForm(fields(context), { label: 'Which dead letters', action: 'Preview' }),
        !listed && Object.keys(filterQuery(query)).length === 0 && query.all !== '1' &&
            h('p', 'Enter at least one condition, or ', h('a', { href: link(['replays', 'new'], { all: '1' }) }, 'take all dead letters'), '.'));
}

function counts(title, rows, name) {
    return h('div.stack', h('h3', title), table({ label: title, rows, key: null, columns: [
        { title: 'Count', kind: 'num', cell: (row) => count(row.count) }, { title, kind: 'wide', cell: name }] }));
}

/** How many there are, as far as that is known. */
function amount({ total, exact }) {
    return `${exact ? '' : 'at least '}${plural(total, 'dead letter')}`;
}

function previewStep(preview, query) {
    const partly = preview.searched_to && h('p', { id: 'preview-partly' }, 'Only those that died since ', when(preview.searched_to),
        ' were looked at. ', h('a', { href: link(['replays', 'new'], { ...query, exact: '1' }) }, 'Look at all of them'), ', which can take a while.');
    if (preview.total === 0) {
        return h('section.sheet.stack', h('h2', 'Preview'), h('div.empty', h('strong', 'No dead letter matches.'),
            !partly && h('span', 'They may have been replayed or discarded meanwhile.')), partly);
    }
    return h('section.sheet.stack', h('h2', 'Preview'),
        h('p', h('strong', { id: 'preview-total' }, amount(preview)), ', died between ', when(preview.oldest), ' and ', when(preview.newest), '.'),
        partly,
        h('div.columns',
            counts('Handlers', preview.handlers, (row) => [outside(row.handler), h('span.muted', ' of '), outside(row.consumer)]),
            counts('Types', preview.event_types, (row) => outside(row.event_type)),
            counts('Errors', preview.fingerprints, (row) => briefError(row))),
        h('h3', 'The newest of them'),
        table({ label: 'Samples', rows: preview.samples, key: (row) => row.delivery, columns: [
            { title: 'Delivery', kind: 'num', cell: (row) => h('a', { href: link(['dead-letters', row.delivery]) }, row.delivery) },
            { title: 'Died', kind: 'tight', cell: (row) => ago(row.dead_at) }, { title: 'Type', cell: (row) => outside(row.event_type) },
            { title: 'Attempts', kind: 'num', cell: (row) => count(row.attempts) }, { title: 'Error', kind: 'wide', cell: (row) => briefError(row) }] }));
}

/** The replay in one sentence. */
function promise(preview, { canary, rate, generation }) {
    const { total } = preview;
    const parts = [`${amount(preview)} will run again`];
    const first = Math.min(Number(canary) || 0, total);
    if (first > 0) {
        parts.push(first < total ? `${first} first; if one of those dies again, the other ${count(total - first)} wait for you` : 'all of them as the canary');
    }
    if (Number(rate) > 0) {
        parts.push(`not faster than ${rate} a second, so it takes at least ${duration(total / Number(rate))}`);
    }
    if (generation) {
        parts.push(`in generation ${generation}`);
    }
    return `${parts.join('; ')}.`;
}

function howStep({ filter, preview }, { query, reload }) {
    const total = preview.total;
    const say = h('p', { role: 'status' });
    const number = (name, title, value, hint, more = {}) => h('label', title,
        h('input', { name, type: 'number', min: '0', value, ...more }), h('span.field-note', hint));
    const form = h('form.stack', { input: () => refresh(), submit: (event) => {
        event.preventDefault();
        confirm(filter, preview, values(), reload);
    } });
    const values = () => Object.fromEntries(new FormData(form));
    const refresh = () => {
        note({ canary: values().canary, rate: values().rate, generation: values().generation, reason: values().reason });
        say.textContent = promise(preview, values());
    };
    replace(form,
        h('div.row.end',
            number('canary', 'Canary', query.canary ?? String(Math.min(5, total > 1 ? 5 : 0)), 'number that runs first; 0: no canary'),
            number('rate', 'Per second', query.rate ?? '', 'empty: as fast as possible', { step: 'any' }),
            number('generation', 'Generation', query.generation ?? '', 'empty: unchanged')),
        h('label', 'Reason, for the audit', h('textarea', { name: 'reason', rows: 2, required: true, value: query.reason ?? '' })),
        say, h('div.row', h('button.main', { type: 'submit' }, `Replay ${amount(preview)} …`)));
    say.textContent = promise(preview, values());
    return h('section.sheet.stack', h('h2', 'How, and why'), form);
}

async function confirm(filter, preview, values, reload) {
    const body = { filter: fixedAt(filter, preview), reason: values.reason, canary: Number(values.canary) || 0,
        expected: preview.exact ? preview.total : null };
    let more = false;
    if (Number(values.rate) > 0) {
        body.rate = Number(values.rate);
    }
    if (values.generation) {
        body.generation = values.generation;
    }
    const started = await ask({
        title: `Replay ${amount(preview)}?`,
        text: [h('p', promise(preview, values)), facts([['Reason', values.reason]]),
            h('p.muted', 'It can be paused and cancelled at any time; items that have run are not undone.')],
        action: 'Start the replay',
        perform: () => post('replays', body).catch((failure) => {
            more = failure.code === 'invalid_transition';
            throw failure;
        }),
    });
    if (started) {
        go(['replays', started.replay]);
    } else if (more) {
        reload();
    }
}

export const newReplay = {
    title: 'New replay',
    load,
    show(data, context) {
        const { mayOperate } = context;
        const steps = [whichStep(context)];
        if (data.preview) {
            steps.push(previewStep(data.preview, context.query));
        }
        if (data.preview?.total > 0) {
            steps.push(mayOperate ? howStep(data, context) : problem(new Error('Starting a replay needs the role operator.')));
        }
        return [crumbs(['Replays', ['replays']]), head('New replay'), h('div.steps', steps)];
    },
};
