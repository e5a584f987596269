// Findings of the overview: the problem, since when, and a link to its remedy. key: the same problem in the next snapshot.
// passing: it can be temporary, so it is shown only when it persists.
import { duration, plural, secondsSince } from '../core/format.js';
import { link } from '../core/route.js';

const lateWarn = 60;
const lateBad = 600;
const xminWarn = 900;

function ofConsumer(one) {
    const waits = one.backlog + one.pending;
    const to = link(['consumers'], { at: `${one.consumer} ${one.channel}` });
    const key = `consumer ${one.consumer} ${one.channel}`;
    const where = one.channel === 'outbox_default' ? one.consumer : `${one.consumer} on ${one.channel}`;
    if (one.paused) {
        return { key, level: 'warn', text: `${where} is paused; ${plural(waits, 'message')} waiting`, since: one.behind_since, to, action: 'Resume' };
    }
    if (one.workers === 0 && waits > 0) {
        return { key, passing: true, level: 'bad', text: `${where} has no running worker; ${plural(waits, 'message')} waiting`, since: one.behind_since,
            to: link(['workers'], { consumer: one.consumer, all: '1' }), action: 'Workers' };
    }
    if (one.oldest_age_s >= lateWarn) {
        return { key, passing: true, level: one.oldest_age_s >= lateBad ? 'bad' : 'warn',
            text: `${where} is ${duration(one.oldest_age_s)} behind; ${plural(one.backlog, 'message')} waiting`,
            to, action: 'Show' };
    }
    return null;
}

function ofHandler(row) {
    const to = link(['handlers'], { consumer: row.consumer, at: `${row.consumer} ${row.handler} ${row.channel}` });
    const key = `handler ${row.consumer} ${row.handler} ${row.channel}`;
    if (row.circuit_mode === 'held') {
        return { key, level: 'warn', text: `${row.handler} was stopped by ${row.mode_by ?? 'an operator'}${row.mode_reason ? `: ${row.mode_reason}` : ''}`, since: row.opened_at, to, action: 'Show' };
    }
    if (row.circuit_state === 'trial') {
        return { key, passing: true, level: 'warn', text: `${row.handler} is on trial; messages that have failed wait${row.circuit_error ? `: ${row.circuit_error}` : ''}`,
            since: row.opened_at, to, action: 'Show' };
    }
    if (row.circuit_state !== 'closed') {
        return { key, passing: true, level: 'bad', text: `The circuit of ${row.handler} is ${row.circuit_state}${row.circuit_error ? `: ${row.circuit_error}` : ''}`,
            since: row.opened_at, to, action: 'Show' };
    }
    return row.workers === 0 && row.pending > 0
        ? { key, passing: true, level: 'warn', text: `No running worker has ${row.handler}; ${plural(row.pending, 'delivery', 'deliveries')} waiting`,
            since: row.next_due_at, to, action: 'Show' }
        : null;
}

function ofDead(total, groups) {
    if (!(total > 0)) {
        return null;
    }
    const newest = groups.map(({ last_seen: seen }) => seen).sort().at(-1);
    const age = newest ? secondsSince(newest) : null;
    const recent = age !== null && age < 3600;
    return { key: 'dead letters', level: recent ? 'bad' : 'warn',
        text: `${plural(total, 'dead letter')}${age === null ? '' : `; the newest died ${duration(age)} ago`}`,
        to: link(['dead-letters']), action: 'Show' };
}

function ofReplay(row) {
    const to = link(['replays', row.replay]);
    if (row.phase === 'paused') {
        return { key: `replay ${row.replay}`, level: 'warn', text: `Replay ${row.replay} is paused${row.paused_reason ? `: ${row.paused_reason}` : ''}`, to, action: 'Decide' };
    }
    return row.phase === 'proposed'
        ? { key: `replay ${row.replay}`, level: 'warn', text: `Replay ${row.replay} by ${row.actor} waits for approval`, to, action: 'Decide' } : null;
}

function ofServer({ xmin, notify, totals }) {
    const found = [];
    if (xmin.kind !== 'none' && xmin.age_s >= xminWarn) {
        found.push({ key: 'xmin', passing: true, level: 'warn', text: `${xmin.holder} holds back vacuum`, since: xmin.since });
    }
    if (notify.queue_usage > 0.5) {
        found.push({ key: 'queue', passing: true, level: 'bad', text: `The NOTIFY queue of PostgreSQL is ${Math.round(notify.queue_usage * 100)} % full` });
    }
    if (notify.commit_waiters > 4) {
        found.push({ key: 'commit lock', passing: true, level: 'warn', text: `${notify.commit_waiters} transactions wait for the commit lock of NOTIFY` });
    }
    if (totals.alerts_unsent > 0) {
        found.push({ key: 'alerts', passing: true, level: 'warn', text: `${plural(totals.alerts_unsent, 'alert')} not sent yet`,
            to: link(['alerts'], { unsent: '1' }), action: 'Show' });
    }
    return found;
}

/** The worst first. */
export function findings({ figures, handlers, groups, replays }) {
    const found = [
        ...figures.consumers.map(ofConsumer), ...handlers.map(ofHandler), ofDead(figures.totals.dead_letters, groups),
        ...replays.map(ofReplay), ...ofServer(figures),
    ].filter(Boolean);
    return inOrder(found);
}

function inOrder(found) {
    return found.sort((a, b) => (a.level === 'bad' ? 0 : 1) - (b.level === 'bad' ? 0 : 1) || (a.key < b.key ? -1 : 1));
}

const appearsAfter = 8000;
const goesAfter = 20000;

/** Debounced findings: a passing one is shown after it has persisted, and removed after it has been absent for a while. */
export class Steady {
    #known = new Map();
    #begun = false;

    take(found, now = Date.now()) {
        for (const one of found) {
            const first = this.#known.get(one.key)?.first ?? now;
            const shown = this.#known.get(one.key)?.shown || !one.passing || !this.#begun || now - first >= appearsAfter;
            this.#known.set(one.key, { one, first, last: now, shown });
        }
        for (const [key, { one, last, shown }] of this.#known) {
            if (last !== now && (!shown || !one.passing || now - last >= goesAfter)) {
                this.#known.delete(key);
            }
        }
        this.#begun = true;
        return inOrder([...this.#known.values()].filter(({ shown }) => shown).map(({ one }) => one));
    }
}
