/** A message to publish. Only the event type is required. */
export interface NewMessage<Payload = unknown> {
    event_type: string;
    payload?: Payload;
    /** The publishing service. */
    source?: string;
    /** The only consumer that receives it; default: every consumer. */
    target?: string | null;
    channel?: string;
    id?: string;
    event_version?: number;
    occurred_at?: Date | string;
    workspace_id?: string | null;
    /** The id when not given. */
    idempotency_key?: string | null;
    ordering_key?: string | null;
    partition_key?: string | null;
    headers?: Record<string, unknown> | null;
    metadata?: Record<string, unknown> | null;
    trace_context?: string | null;
    content_class?: string | null;
    generation?: number | null;
    /** Not before. */
    available_at?: Date | string | null;
    priority?: number;
    max_attempts?: number | null;
}

/** A message as a handler gets it. */
export interface Message<Payload = unknown> {
    readonly run: number;
    readonly message_id: string;
    readonly event_type: string;
    readonly event_version: number;
    readonly occurred_at: string;
    readonly source: string;
    /** The same over retries and replays. */
    readonly idempotency_key: string;
    readonly target?: string;
    readonly workspace_id?: string;
    readonly ordering_key?: string;
    readonly partition_key?: string;
    readonly content_class?: string;
    readonly generation?: number;
    readonly trace_context?: string;
    /** Of this cycle, this one included. */
    readonly attempts: number;
    /** Above 1 after a replay. */
    readonly cycle: number;
    /** Different for every attempt: a fencing token for effects outside the database. */
    readonly run_key: string;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly payload: Payload;
}

/** A client of pg, or anything with its query(). */
export interface Queryable {
    query(text: string, values: unknown[]): Promise<{ rows: any[] }>;
}

/** The run of one message. */
export interface Run {
    readonly consumer: string;
    readonly handler: string;
    /** Aborted when the outcome does not count any more. */
    readonly signal: AbortSignal;
    /** The timeout of this run begins again. */
    extend(): void;
    /**
     * Records how far the job is: a fraction from 0 to 1, and a text, which is cut at 1000 bytes. Throws a RangeError or a
     * TypeError for a fraction that is not a number.
     */
    progress(fraction: number, text?: string): void;
    /**
     * Records the result of the job with its outcome: any JSON of up to 16384 bytes and 500 levels. Throws a RangeError or
     * a TypeError for any other value. Zero bytes are removed from texts, unpaired surrogates replaced.
     */
    result(value: unknown): void;
    /**
     * Enters the effect into the inbox, in the transaction that makes it. False: a committed transaction has made it,
     * so the handler skips it.
     */
    handleOnce(client: Queryable, message: Message): Promise<boolean>;
}

export type Handler<Payload = any> = (message: Message<Payload>, run: Run) => void | Promise<void>;

/** Retry by the retry policy, or after `delay` milliseconds. */
export class Transient extends Error {
    constructor(error: string, options?: { errorClass?: string; delay?: number });
}
/** Do not retry: the message becomes a dead letter at once. */
export class Terminal extends Error {
    constructor(error: string, options?: { errorClass?: string });
}
/** Run again after `delay` milliseconds. Uses no attempt. */
export class Snooze extends Error {
    constructor(delay: number);
}

/** Appends one message in the client's transaction. Resolves to its id. */
export function publish<Payload>(client: Queryable, message: NewMessage<Payload>): Promise<string>;
/** Appends up to 10,000 messages. Resolves to their number. */
export function publishMany(client: Queryable, messages: NewMessage[]): Promise<number>;

/**
 * Handles messages until the worker ends. Payload types by event type:
 * `serve<{ "order.placed": Order; "user.*": User }>({ ... })`.
 */
export function serve<Events extends Record<string, any> = Record<string, any>>(
    handlers: { [Type in keyof Events]: Handler<Events[Type]> },
    options?: { concurrency?: number },
): Promise<void>;
