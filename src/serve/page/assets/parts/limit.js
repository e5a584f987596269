// The limit of a handler: in words, and the dialogs that set and remove it.
import { get, path, post } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { count, interval, plural } from '../core/format.js';
import { tell } from './ask.js';
import { facts } from './marks.js';
import { plan } from './plan.js';

function rateWords({ starts, period, burst }) {
    return `${plural(starts, 'start')} in ${interval(period)}${burst === undefined || burst === starts ? '' : `, ${count(burst)} at once`}`;
}

/** A definition as set_limit() takes it, one text per rule. */
export function rules({ concurrency, per_worker: perWorker, key, per_key: perKey, rate, key_rate: keyRate, weights }) {
    const all = [concurrency && `${plural(concurrency, 'run')} at once`, perWorker && `${plural(perWorker, 'run')} at once per worker`,
        perKey && `${plural(perKey, 'run')} at once per ${key}`, rate && rateWords(rate), keyRate && `${rateWords(keyRate)} per ${key}`,
        weights && `turns by weight: ${Object.entries(weights).map(([name, weight]) => `${name} ${weight}`).join(', ')}`].filter(Boolean);
    return all.length === 0 && key ? [`messages of different ${key} take turns`] : all;
}

const keys = ['', 'workspace_id', 'ordering_key', 'partition_key', 'source', 'event_type'];

function fieldsOf({ rate, key_rate: keyRate, weights = {}, ...limit }) {
    const input = (name, title, value, note) => h('label', title, h('input', { name, value: value ?? '', autocomplete: 'off' }), note && h('span.field-note', note));
    const rateText = (of) => of && `${of.starts} / ${interval(of.period)}`;
    const choice = h('select', { name: 'key' }, keys.map((key) => h('option', { value: key }, key || 'none')));
    choice.value = limit.key ?? '';
    return [
        h('div.pair', input('concurrency', 'Runs at once', limit.concurrency), input('per_worker', 'Runs per worker', limit.per_worker),
            input('rate', 'Starts per period', rateText(rate), '100 / 1 min'), input('burst', 'Burst', rate?.burst, 'starts at once')),
        h('details', { open: Boolean(limit.key) }, h('summary', 'By key of the message'),
            h('div.pair', h('label', 'Key', choice), input('per_key', 'Runs per key', limit.per_key),
                input('key_rate', 'Starts per key', rateText(keyRate)), input('key_burst', 'Burst per key', keyRate?.burst)),
            h('label', 'Weights', h('textarea', { name: 'weights', rows: 2, value: Object.entries(weights).map((pair) => pair.join('=')).join('\n') }),
                h('span.field-note', 'KEY=3 per line: turns of a key, where others have one'))),
    ];
}

/** Does not validate the values: the server rejects invalid ones. */
function definitionOf(values) {
    const number = (text) => (text.trim() === '' ? undefined : Number(text));
    const rate = (text, burst) => {
        const [starts, period = ''] = text.split('/');
        return text.trim() === '' ? undefined : { starts: Number(starts), period: period.trim(), burst: number(burst) };
    };
    const weights = values.weights.split('\n').filter((line) => line.trim() !== '').map((line) => {
        const at = line.lastIndexOf('=');
        return [line.slice(0, at).trim(), Number(line.slice(at + 1))];
    });
    return { concurrency: number(values.concurrency), per_worker: number(values.per_worker), rate: rate(values.rate, values.burst),
        key: values.key || undefined, per_key: number(values.per_key), key_rate: rate(values.key_rate, values.key_burst),
        weights: weights.length > 0 ? Object.fromEntries(weights) : undefined };
}

const lines = (limit) => (limit ? rules(limit).map((rule) => h('div', outside(rule))) : 'no limit');

function consequence({ result, declared, binds }) {
    return [result === 'unchanged' ? 'It has this limit already.' : binds ? 'Messages beyond the limit wait, without spending an attempt. Runs that have started go on.'
        : 'Its running workers have too few threads to reach it.', declared && ' It takes precedence over the limit that workers declare, until it is removed.'];
}

const address = (row) => `handlers/${path(row.consumer, row.handler)}/limit`;

/** row: consumer, channel and handler. */
export async function changeLimit(row, reload) {
    let now;
    try {
        const { rows } = await get('limits', { consumer: row.consumer, limit: 1000 });
        now = rows.find((one) => one.handler === row.handler && one.channel === row.channel)?.definition ?? {};
    } catch (failure) {
        tell(`The limit could not be read: ${failure.message}.`);
        return;
    }
    const done = await plan({
        title: `Limit ${row.handler}`, fields: fieldsOf(now),
        look: (values) => post(`${address(row)}/preview`, { channel: row.channel, limit: definitionOf(values) }),
        told: (effect, values) => ({ title: `Limit ${row.handler}?`, action: 'Set the limit', text: facts([['Now', lines(effect.before)], ['Then', lines(definitionOf(values))],
            ['Workers', `${count(effect.workers)}${effect.threads === null ? '' : ` with ${plural(effect.threads, 'thread')}`}; ${plural(effect.held, 'message')} of the consumer in flight`],
            effect.throttled > 0 && ['Throttled', plural(effect.throttled, 'message')], ['Effect', h('span', consequence(effect))]]) }),
        perform: (effect, values, reason) => post(address(row), { channel: row.channel, limit: definitionOf(values), reason }),
    });
    if (done) {
        tell(`The limit of ${row.handler} is ${done.result}.`);
        reload();
    }
}

export async function removeLimit(row, reload) {
    const done = await plan({
        look: () => post(`${address(row)}/preview`, { channel: row.channel, limit: null }),
        told: ({ before, throttled, declared }) => ({ title: `Remove the limit of ${row.handler}?`, action: 'Remove the limit', danger: true, text: facts([['Now', lines(before)],
            ['Effect', throttled === 0 ? 'No message waits for it.' : `${plural(throttled, 'message')} that ${throttled === 1 ? 'waits' : 'wait'} for it can start at once.`],
            declared && ['Declared', 'by its workers: the limit is back when the next one starts.']]) }),
        perform: (effect, values, reason) => post(`${address(row)}/remove`, { channel: row.channel, reason }),
    });
    if (done) {
        tell(`${row.handler} has no limit.`);
        reload();
    }
}
