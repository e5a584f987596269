// Which view an address means.
import { h } from './dom.js';
import { overview } from './view_overview.js';
import { groups } from './view_groups.js';
import { deadList, discarded } from './view_dead_letters.js';
import { deadOne } from './view_dead_letter.js';
import { editing } from './view_edit.js';
import { newReplay } from './view_new_replay.js';
import { replay, replays } from './view_replays.js';
import { message, messages } from './view_messages.js';
import { deliveries } from './view_deliveries.js';
import { handlers } from './view_handlers.js';
import { consumers } from './view_consumers.js';
import { blockedKeys, leases, workers } from './view_workers.js';
import { alerts, audits, retention } from './view_records.js';
import { unmatched } from './view_unmatched.js';
import { doctor } from './view_doctor.js';

const nowhere = {
    title: 'Not found',
    load: async () => null,
    show: () => [h('h1', 'There is no such view'),
        h('p', 'The link may have been cut short. ', h('a', { href: '#/' }, 'To the overview'))],
};

const single = { '': overview, deliveries, handlers, consumers, workers, leases, 'blocked-keys': blockedKeys, alerts, retention, audits, unmatched, doctor };

export function findView([first = '', second, third, ...more]) {
    if (more.length > 0) {
        return nowhere;
    }
    if (first === 'dead-letters') {
        const lists = { list: deadList, discarded };
        const one = third === undefined ? deadOne : third === 'edit' ? editing : nowhere;
        return second === undefined ? groups : lists[second] ?? (/^\d+$/.test(second) ? one : nowhere);
    }
    if (first === 'replays' && third === undefined) {
        return second === undefined ? replays : second === 'new' ? newReplay : replay;
    }
    if (first === 'messages' && third === undefined) {
        return second === undefined ? messages : message;
    }
    return (second === undefined && single[first]) || nowhere;
}
