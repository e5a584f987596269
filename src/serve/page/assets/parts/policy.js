// A handler's policy in words.
import { duration, plural } from '../core/format.js';

const time = (ms) => duration(Number(ms) / 1000);

/** How long it waits between attempts; defaults as sql/functions/settle/delay.sql has them. */
function waits(retry) {
    const curve = retry.curve ?? 'exponential';
    const base = time(retry.base_ms ?? (curve === 'fixed' ? 60000 : 1000));
    const cap = time(retry.cap_ms ?? 300000);
    const jitter = retry.jitter ?? (curve === 'exponential' ? 'full' : 'none');
    const words = {
        exponential: `The wait after a failure starts at ${base} and grows ${retry.multiplier ?? 2} times with each attempt, up to ${cap}`,
        quadratic: `The wait after a failure is ${base} times the square of the attempt, up to ${cap}`,
        linear: `The wait after a failure is ${base} times the attempt, up to ${cap}`,
        fixed: `The wait after a failure is ${base}`,
        immediate: 'A failure is tried again at once',
        list: `The waits after failures are ${(retry.delays_ms ?? []).map(time).join(', ')}; the last one repeats`,
    };
    const spread = { full: ', shortened at random', equal: ', up to half of it shortened at random', none: '' };
    return `${words[curve] ?? words.exponential}${spread[jitter] ?? ''}.`;
}

function circuit(policy) {
    if (policy.failures === 0) {
        return 'It has no circuit breaker.';
    }
    return `After ${plural(policy.failures ?? 20, 'transient failure')} in a row its circuit opens. It is probed after ${time(policy.open_ms ?? 30000)}, later at most every ${time(policy.cap_ms ?? 600000)}.`;
}

const listed = (names) => names.join(', ');

/** The policy in sentences. Settings of the database replace values that the handler does not set. */
export function policyWords(row) {
    const { retry, classes } = row;
    return [
        `A message has ${plural(row.max_attempts, 'attempt')}; then it is a dead letter. So is one that has cost ${plural(row.max_crashes, 'worker')}.`,
        row.max_attempts > 1 && waits(retry),
        retry.max_age_ms && `There is no retry later than ${time(retry.max_age_ms)} after publication.`,
        row.honour_terminal ? 'A terminal failure is not retried.' : 'A terminal failure is retried like any other.',
        classes.terminal && `Error classes that are terminal: ${listed(classes.terminal)}.`,
        classes.transient && `Error classes that are retried: ${listed(classes.transient)}.`,
        classes.outage && `Error classes of an outage, which cost no attempt: ${listed(classes.outage)}.`,
        circuit(row.circuit),
    ].filter(Boolean);
}
