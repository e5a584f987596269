// Which view an address means.
import { h } from './core/dom.js';
import { overview } from './views/overview.js';
import { group } from './views/group.js';
import { groups } from './views/groups.js';
import { deadList, discarded } from './views/dead_letters.js';
import { deadOne } from './views/dead_letter.js';
import { editing } from './views/edit.js';
import { newReplay } from './views/new_replay.js';
import { replay, replays } from './views/replays.js';
import { message, messages } from './views/messages.js';
import { deliveries } from './views/deliveries.js';
import { handler } from './views/handler.js';
import { handlers } from './views/handlers.js';
import { consumers } from './views/consumers.js';
import { blockedKeys, leases, workers } from './views/workers.js';
import { alerts, audits, retention } from './views/records.js';
import { schedules } from './views/schedules.js';
import { unmatched } from './views/unmatched.js';
import { brokers } from './views/brokers.js';
import { limits } from './views/limits.js';
import { sets, uniqueKeys } from './views/sets.js';
import { doctor } from './views/doctor.js';

const nowhere = {
    title: 'Not found',
    load: async () => null,
    show: () => [h('h1', 'There is no such view'),
        h('p', 'The link may have been cut short. ', h('a', { href: '#/' }, 'To the overview'))],
};

const single = { __proto__: null, '': overview, deliveries, handlers, consumers, workers, leases, 'blocked-keys': blockedKeys, alerts, retention, audits, schedules, unmatched, doctor, limits, brokers, sets,
    'unique-keys': uniqueKeys };

export function findView([first = '', second, third, ...more]) {
    if (first === 'dead-letters' && second === 'group' && more.length === 2) {
        return group;
    }
    if (more.length > 0) {
        return nowhere;
    }
    if (first === 'dead-letters') {
        const lists = { __proto__: null, list: deadList, discarded };
        const one = third === undefined ? deadOne : third === 'edit' ? editing : nowhere;
        return second === undefined ? groups : lists[second] ?? (/^\d+$/.test(second) ? one : nowhere);
    }
    if (first === 'replays' && third === undefined) {
        return second === undefined ? replays : second === 'new' ? newReplay : replay;
    }
    if (first === 'handlers' && third !== undefined) {
        return handler;
    }
    if (first === 'messages' && third === undefined) {
        return second === undefined ? messages : message;
    }
    return (second === undefined && single[first]) || nowhere;
}
