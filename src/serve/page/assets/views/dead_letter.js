// One dead letter: its history, error and actions.
import { get, path } from '../core/api.js';
import { discard, replayOne } from '../parts/dead_actions.js';
import { h, outside } from '../core/dom.js';
import { attemptsTable } from '../parts/attempts.js';
import { plural, when } from '../core/format.js';
import { crumbs, envelope, error, facts, handlerLink, head, state } from '../parts/marks.js';
import { payloadBox } from '../parts/payload.js';
import { go, link } from '../core/route.js';
import { ending, timeline } from '../parts/timeline.js';

/** A hint by error class. */
function advice({ error_class: kind, similar, outcome }) {
    const name = kind ?? '';
    if (/^sqlstate:2[23]/.test(name) || /payload|data|json|schema/.test(name)) {
        return 'The data does not fit: fix the handler and replay, or edit this message.';
    }
    if (/worker_lost|lease_expired/.test(name) || outcome === 'crashed') {
        return 'It takes its worker down or takes too long: reproduce it alone before replaying.';
    }
    return similar > 0 ? 'Other dead letters have the same fingerprint: find the common cause, then replay them together.'
        : 'It died alone: read the error, then replay it, edit it or discard it.';
}

function similarLink(row) {
    const more = row.similar >= 10000 ? 'more than 10,000 others' : plural(row.similar, 'other one', 'others');
    return row.similar > 0
        ? h('a', { href: link(['dead-letters', 'list'], { consumer: row.consumer, channel: row.channel, handler: row.handler, fingerprint: row.fingerprint }) },
            `${more} with this fingerprint`)
        : 'no other dead letter has this fingerprint';
}

function discardIt(row) {
    return discard({ deliveries: [row.delivery_id] }, () => go(['dead-letters', 'list'], { handler: row.handler }));
}

function buttons(row, { mayOperate }) {
    return mayOperate ? [
        h('button.main', { type: 'button', click: () => replayOne(row) }, 'Replay …'),
        h('a.button', { href: link(['dead-letters', row.delivery_id, 'edit']) }, 'Edit and replay …'),
        h('button.danger', { type: 'button', click: () => discardIt(row) }, 'Discard …'),
    ] : [h('span.muted', 'Changes need the role operator.')];
}

export const deadOne = {
    title: (row) => `Dead letter ${row.delivery_id}`,
    async load({ parts, signal }) {
        const row = await get(`dead-letters/${path(parts[1])}`, {}, signal);
        const { rows } = await get(`messages/${path(row.id)}/attempts`, {}, signal);
        return { ...row, runs: rows.filter((run) => run.delivery_id === row.delivery_id) };
    },
    show: (row, context) => [
        crumbs(['Dead letters', ['dead-letters']],
            [row.handler, ['dead-letters', 'list'], { consumer: row.consumer, channel: row.channel, handler: row.handler }]),
        head(['Dead letter ', row.delivery_id], buttons(row, context)),
        h('section.sheet.stack', { 'aria-label': 'Why it died' },
            h('div.row', row.outcome && state('outcome', row.outcome, 'bad'), row.error_class && h('span.chip', outside(row.error_class)),
                h('span', 'died ', when(row.dead_at), `: ${ending(row)}${row.max_attempts ? ` of ${row.max_attempts}` : ''}`)),
            error(row.last_error), h('p', advice(row)),
            h('p.muted', 'Similar: ', similarLink(row))),
        h('div.columns',
            h('section.sheet.stack', h('h2', 'Envelope'), facts([
                ['Handler', [handlerLink(row), h('span.muted', ' of '), outside(row.consumer)]],
                ...envelope(row),
                ['Occurred', when(row.occurred_at)], ['Published', when(row.published_at)],
                ['Attempts in all', String(row.attempts_total)],
                ['Replay', row.replay_id && h('a', { href: link(['replays', row.replay_id]) }, `replay ${row.replay_id}`)],
                ['Fingerprint', row.fingerprint && outside(row.fingerprint, 'bdi.mono')]])),
            h('section.sheet.stack', h('h2', 'History'), timeline(row))),
        h('section.stack', h('h2', 'Failed attempts'), attemptsTable(row.runs)),
        payloadBox(`dead-letters/${path(row.delivery_id)}/payload`, context),
    ],
    keys: (row, { mayOperate }) => (mayOperate ? {
        r: ['Replay it', () => replayOne(row)],
        e: ['Edit and replay', () => go(['dead-letters', row.delivery_id, 'edit'])],
        d: ['Discard it', () => discardIt(row)],
        p: ['Reveal the payload', () => document.getElementById('reveal')?.click()],
    } : {}),
};
