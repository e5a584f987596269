// One group of dead letters: deaths over time, error, and common fields of the payloads.
import { get, path } from '../core/api.js';
import { h, outside, replace } from '../core/dom.js';
import { clock, count, day, duration, plural, short, when, zone } from '../core/format.js';
import { go, link } from '../core/route.js';
import { problem } from '../parts/ask.js';
import { discard } from '../parts/dead_actions.js';
import { ends, points, spanOf, spanSwitch } from '../parts/history.js';
import { table } from '../parts/list.js';
import { cause, crumbs, error, facts, handlerLink, head } from '../parts/marks.js';
import { TimeChart } from '../parts/time_chart.js';
import { groupLink } from './overview.js';

let chart = null;

const filterOf = ({ consumer, channel, handler, fingerprint }) => ({ consumer, channel, handler, fingerprint });
const address = (row) => `dead-letter-groups/${path(row.consumer, row.handler, row.fingerprint)}`;

function rolloutName({ generation, version }) {
    return [generation !== null && `generation ${generation}`, version && `version ${version}`].filter(Boolean).join(', ') || 'workers';
}

function draw(data) {
    chart.show([{ label: 'died', key: 'c2', points: points(data, ({ died }) => died, 0) }], ends(data),
        data.rollouts.map((one) => ({ x: Date.parse(one.at), label: rolloutName(one) })));
}

function trend(data) {
    const died = data.buckets.reduce((sum, bucket) => sum + bucket.died, 0);
    return h('section.stack', h('div.row.between', h('h2', 'Deaths over time'), spanSwitch('day')), chart.element,
        h('p.muted', `${plural(died, 'death')} in this span, also of those that were replayed or discarded since; ${duration(data.bucket_s)} per point.`),
        data.rollouts.length > 0 && h('p.muted', 'Rollouts in this span, marked by a line: ', data.rollouts.map((one, at) =>
            [at > 0 && '; ', outside(rolloutName(one)), ` at ${day(one.at)} ${clock(one.at)} ${zone()}`]), '.'));
}

function fieldsBox(row, { me }) {
    const box = h('section.sheet.stack', { 'aria-label': 'Payloads' });
    if (!me.may.includes('reveal')) {
        return replace(box, h('h2', 'Payloads'), h('p.muted', 'Payloads are compared for operators; this token is a viewer’s.'));
    }
    const button = h('button', { type: 'button', id: 'reveal', click: async () => {
        button.disabled = true;
        try {
            replace(box, compared(await get(`${address(row)}/fields`, { channel: row.channel })));
        } catch (failure) {
            button.disabled = false;
            replace(box, h('h2', 'Payloads'), problem(failure), button);
        }
    } }, 'Compare');
    return replace(box, h('div.row.between', h('h2', 'Payload fields, shared and differing'), button),
        h('p.muted', 'Compares the newest 50. The audit records the access.'));
}

function compared({ sample, shared, differing }) {
    return [h('h2', `Payloads of ${plural(sample, 'dead letter')}`),
        shared.length > 0 ? table({ label: 'Shared fields', rows: shared, key: ({ field }) => `shared ${field}`, columns: [
            { title: 'The same in all', cell: ({ field }) => outside(field, 'bdi.mono') },
            { title: 'Value', kind: 'wide', cell: ({ value }) => outside(value ?? 'null', 'span.wrap') }] }) : h('p.muted', 'No field has one value in all of them.'),
        differing.length > 0 && table({ label: 'Differing fields', rows: differing, key: ({ field }) => `differing ${field}`, columns: [
            { title: 'Differs', cell: ({ field }) => outside(field, 'bdi.mono') },
            { title: 'In', kind: 'num', cell: ({ present }) => `${present} of ${sample}` },
            { title: 'Values', kind: 'num', cell: ({ distinct }) => count(distinct) },
            { title: 'Examples', kind: 'wide', cell: ({ examples }) => examples.map((one, at) => [at > 0 && ', ', outside(one ?? 'null', 'span.wrap')]) }] })];
}

function buttons(row, { mayOperate, reload }) {
    const filter = filterOf(row);
    return mayOperate ? [h('a.button.main', { href: link(['replays', 'new'], filter) }, row.count === 1 ? 'Replay it …' : `Replay all ${short(row.count)} …`),
        h('button.danger', { type: 'button', click: () => discard(filter, reload).then((done) => done && go(['dead-letters'])) }, row.count === 1 ? 'Discard it …' : `Discard all ${short(row.count)} …`)] : [];
}

export const group = {
    title: ({ group: row }) => `Group of ${row.handler}`,
    load: ({ parts, query, signal }) => get(`dead-letter-groups/${path(parts[2], parts[3], parts[4])}`,
        { channel: query.channel, span: spanOf(query, 'day') }, signal),
    show(data, context) {
        const row = data.group;
        chart?.end();
        chart = new TimeChart({ title: 'Deaths', axis: 'Dead letters', say: short, integers: true });
        return [crumbs(['Dead letters', ['dead-letters']], [row.handler, ['dead-letters', 'list'], { consumer: row.consumer, channel: row.channel, handler: row.handler }]),
            head(`${plural(row.count, 'dead letter')} of one cause`, buttons(row, context)),
            h('section.sheet.stack', { 'aria-label': 'Error' },
                h('div.row', row.error_class && h('span.chip', outside(row.error_class)), row.sample_error && outside(cause(row.sample_error), 'strong.wrap')),
                error(row.sample_error),
                facts([['Handler', [handlerLink(row), h('span.muted', ' of '), outside(row.consumer)]], ['Type', row.event_type],
                    ['First', when(row.first_seen)], ['Last', when(row.last_seen)],
                    ['Newest', h('a', { href: link(['dead-letters', row.sample_delivery_id]) }, `dead letter ${row.sample_delivery_id}`)],
                    ['All', h('a', { href: groupLink(row) }, plural(row.count, 'dead letter'))],
                    ['Fingerprint', outside(row.fingerprint, 'bdi.mono')]])),
            trend(data), fieldsBox(row, context)];
    },
    shown: draw,
    leave() {
        chart?.end();
        chart = null;
    },
    keys: ({ group: row }, { mayOperate }) => (mayOperate ? { r: ['Replay all of them', () => go(['replays', 'new'], filterOf(row))],
        p: ['Compare the payloads', () => document.getElementById('reveal')?.click()] } : {}),
};
