// Cancelling jobs, with their number before.
import { Problem, post } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { plural } from '../core/format.js';
import { tell } from './ask.js';
import { plan } from './plan.js';

const effects = 'A job that waits never runs. A handler that runs is asked to stop at the next heartbeat of its worker, and its outcome does not count.';

/** filterOf(values): the filter of the jobs; none: the error if no job matches. Cancels at most the number of jobs in the dialog. */
async function cancelPlanned({ filterOf, none, told, reload, ...first }) {
    const done = await plan({
        ...first,
        async look(values) {
            const effect = await post('jobs/cancel/preview', { filter: filterOf(values) });
            if (effect.count === 0 && none) {
                throw new Problem(404, { detail: none });
            }
            return effect;
        },
        told: (effect) => ({ danger: true, back: 'Back', ...told(effect) }),
        perform: ({ count }, values, reason) => post('jobs/cancel', { filter: filterOf(values), limit: Math.max(count, 1), reason }),
    });
    if (done) {
        tell(`${plural(done.count, 'job')} cancelled.`);
        reload();
    }
}

const said = ({ count, running }) => `${plural(count, 'job')}${running > 0 ? `, ${running} of them with a worker` : ''}`;

/** Jobs of a handler, of one type or of all. */
export function cancelJobs(row, reload) {
    const { consumer, channel, handler } = row;
    return cancelPlanned({
        title: `Cancel jobs of ${handler}`, fields: [{ name: 'event_type', title: 'Event type', note: 'Empty: of every type.' }],
        filterOf: ({ event_type: type }) => ({ consumer, channel, handler, ...(type && { event_type: type }) }),
        none: 'no such job waits or runs',
        told: (effect) => ({ title: `Cancel ${said(effect)}?`, action: `Cancel ${plural(effect.count, 'job')}`,
            text: h('p', effects, effect.count === 1000 && ' At most 1,000 are cancelled at once, the oldest first.') }),
        reload,
    });
}

/** The job that holds a unique key; a key that is held for a period also when its job has ended. */
export function cancelKey(row, reload) {
    const { consumer, channel, handler } = row;
    return cancelPlanned({
        filterOf: () => ({ consumer, channel, handler, ...(row.scope === 'period' ? { unique_key: row.key } : { ids: [row.id] }) }),
        told: ({ count }) => ({ title: count === 0 ? 'Free this key?' : 'Cancel the job of this key?', action: count === 0 ? 'Free the key' : 'Cancel the job',
            text: [h('p', outside(row.key, 'bdi.mono.wrap')), h('p', count === 0 ? 'Its job has ended.' : effects, ' The key is free afterwards.')] }),
        reload,
    });
}
