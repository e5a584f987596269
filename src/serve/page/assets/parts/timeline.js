// The history of a delivery, cycle by cycle.
import { h, outside } from '../core/dom.js';
import { ago, plural, stamp } from '../core/format.js';
import { link } from '../core/route.js';
import { stateText } from '../core/states.js';
import { chip, error, state } from './marks.js';

export function ending(row) {
    return `${row.outcome ? `${stateText('outcome', row.outcome)}, ` : ''}after ${plural(row.attempts ?? 0, 'attempt')}`;
}

function line(status, title, at, ...rest) {
    return h('li', { class: status }, h('div.row', h('strong', title), at && h('span.muted', stamp(at)), at && ago(at)), rest);
}

function numbers(row) {
    const parts = [plural(row.attempts ?? 0, 'attempt')];
    if (Number(row.crashes) > 0) {
        parts.push(plural(row.crashes, 'lost worker'));
    }
    if (Number(row.interruptions) > 0) {
        parts.push(plural(row.interruptions, 'interruption'));
    }
    return h('span.muted', parts.join(', '));
}

function ended(cycle) {
    const text = [];
    if (cycle.first_failed_at) {
        text.push(line('', `Cycle ${cycle.cycle}: first failure`, cycle.first_failed_at));
    }
    text.push(line(cycle.status ?? '', `Cycle ${cycle.cycle}: ${cycle.status === 'delivered' ? 'delivered' : 'died'}`, cycle.ended_at,
        h('div.row', cycle.outcome && state('outcome', cycle.outcome), cycle.error_class && chip(cycle.error_class), numbers(cycle)),
        cycle.last_error && error(cycle.last_error)));
    text.push(line('', 'Started again', cycle.replayed_at, h('span.muted', 'by ', outside(cycle.replayed_by ?? 'unknown'),
        cycle.replay && [' in ', h('a', { href: link(['replays', cycle.replay]) }, `replay ${cycle.replay}`)])));
    return text;
}

function present(row) {
    const items = [];
    if (row.first_failed_at) {
        items.push(line('', `Cycle ${row.cycle}: first failure`, row.first_failed_at));
    }
    if (row.dead_at) {
        items.push(line('failed', `Cycle ${row.cycle}: died`, row.dead_at,
            h('div.row', row.outcome && state('outcome', row.outcome), row.error_class && chip(row.error_class), numbers(row))));
    } else if (row.delivered_at) {
        items.push(line('delivered', `Cycle ${row.cycle}: delivered`, row.delivered_at, numbers(row)));
    } else if (row.claimed_at && row.status === 'in_flight') {
        items.push(line('', `Cycle ${row.cycle}: in flight`, row.claimed_at, numbers(row)));
    } else if (row.available_at) {
        items.push(line('', `Cycle ${row.cycle}: due`, row.available_at, numbers(row)));
    }
    if (row.deleted_at) {
        items.push(line('', 'Discarded', row.deleted_at));
    }
    return items;
}

/** From publication to now; row is a dead letter or a delivery. */
export function timeline(row) {
    return h('ol.timeline', line('', 'Published', row.published_at),
        Number(row.history_dropped) > 0 && line('', `${plural(row.history_dropped, 'earlier cycle')} not kept`),
        row.cycles.map(ended), present(row));
}
