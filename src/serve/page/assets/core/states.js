// The word for each state, as the command line has it too: src/cli/output/states.def is the table, and a test compares both.
const texts = {
    status: { pending: 'retrying', in_flight: 'in flight', delivered: 'delivered', failed: 'dead' },
    job: { queued: 'queued', waiting: 'waiting', blocked: 'blocked', retrying: 'retrying', in_flight: 'in flight',
        delivered: 'delivered', dead: 'dead', cancelled: 'cancelled', discarded: 'discarded' },
    head: { waiting: 'waiting', in_flight: 'in flight', pending: 'retrying', failed: 'dead' },
    outcome: { delivered: 'delivered', transient: 'transient failure', terminal: 'permanent failure', crashed: 'worker crashed',
        snooze: 'snoozed', interrupted: 'interrupted', cancelled: 'cancelled' },
    circuit: { closed: 'closed', open: 'open', trial: 'trial', ramp: 'ramp' },
    mode: { automatic: 'automatic', held: 'stopped', forced: 'always runs' },
    consumer: { paused: 'paused', held: 'held', no_workers: 'no workers', partly_held: 'partly held', working: 'working' },
    worker: { alive: 'alive', gone: 'gone' },
    lease: { overdue: 'overdue' },
    replay: { proposed: 'proposed', canary: 'canary', running: 'running', paused: 'paused', finished: 'finished', cancelled: 'cancelled' },
    item: { waiting: 'waiting', moved: 'running', delivered: 'delivered',
        failed: 'died again', skipped: 'skipped', cancelled: 'cancelled' },
    schedule: { on: 'on', paused: 'paused', one_waits: 'one slot waits' },
    keeper: { idle: 'idle, wakes on NOTIFY', working: 'working', none: 'none' },
    finding: { ok: 'ok', note: 'note', warning: 'warning', problem: 'problem' },
};

const looks = {
    good: ['delivered', 'finished', 'closed', 'alive', 'working', 'on', 'ok', 'idle, wakes on NOTIFY'],
    bad: ['dead', 'died again', 'open', 'gone', 'overdue', 'permanent failure', 'transient failure', 'worker crashed', 'problem'],
    warn: ['paused', 'held', 'partly held', 'stopped', 'always runs', 'canary', 'trial', 'ramp', 'proposed', 'skipped', 'retrying', 'one slot waits',
        'warning'],
};

/** of: the kind of object; value: its state in the database. */
export function stateText(of, value) {
    return texts[of][value] ?? String(value).replaceAll('_', ' ');
}

export function stateLook(of, value) {
    const text = stateText(of, value);
    return Object.keys(looks).find((look) => looks[look].includes(text)) ?? '';
}
