// Live figures: one stream for the whole page. EventSource cannot send a header, so the stream is read by hand.
import { headers, session } from './api.js';
import { reach } from './reach.js';

const silence = 15000;

class Live extends EventTarget {
    latest = null;
    connected = false;
    staleSince = null;
    #pause = 1000;
    #stop = null;
    #hiding = 0;
    #changed = false;
    #wake = () => {};

    start() {
        document.addEventListener('visibilitychange', () => {
            clearTimeout(this.#hiding);
            if (document.hidden) {
                // A browser has six connections to a server for all its tabs: a hidden tab needs none.
                this.#hiding = setTimeout(() => this.#stop?.abort(), 20000);
            } else {
                this.#wake();
            }
        });
        reach.addEventListener('change', () => reach.downSince || this.#wake());
        // The next session may have access to other figures, or none.
        session.addEventListener('change', () => {
            Object.assign(this, { latest: null, connected: false, reason: '', staleSince: null });
            this.dispatchEvent(new Event('state'));
            this.#pause = 1000;
            this.#changed = true;
            this.#stop?.abort();
            this.#wake();
        });
        this.#run();
    }

    #tell(connected, reason = '') {
        this.connected = connected;
        this.reason = reason;
        this.staleSince = connected ? null : this.staleSince ?? new Date();
        this.dispatchEvent(new Event('state'));
    }

    async #run() {
        for (;;) {
            const reason = await this.#read();
            if (this.#changed) {
                continue;
            }
            this.#tell(false, reason);
            if (!document.hidden && !['refused', 'signed out'].includes(reason)) {
                reach.doubt();
            }
            await new Promise((resolve) => {
                this.#wake = resolve;
                // The server refuses this session: do not retry until it changes.
                if (!document.hidden && !['refused', 'signed out'].includes(reason)) {
                    setTimeout(resolve, this.#pause);
                }
            });
            this.#pause = Math.min(this.#pause * 2, 15000);
        }
    }

    /** Reads until the stream ends; returns the reason. */
    async #read() {
        const stop = new AbortController();
        this.#stop = stop;
        this.#changed = false;
        let watch = setTimeout(() => stop.abort(), silence);
        try {
            const response = await fetch('/api/v1/live', {
                headers: headers({ accept: 'text/event-stream' }), signal: stop.signal, cache: 'no-store', credentials: 'same-origin',
            });
            if (!response.ok) {
                // Tokens of one workspace may not read the stream.
                return { 401: 'signed out', 403: 'refused' }[response.status] ?? `status ${response.status}`;
            }
            const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
            let rest = '';
            for (let part = await reader.read(); !part.done; part = await reader.read()) {
                const before = this.latest;
                rest = this.#take(rest + part.value.replaceAll('\r', ''));
                // Comments keep the connection open, but only figures show that the server is live.
                if (this.latest !== before) {
                    clearTimeout(watch);
                    watch = setTimeout(() => stop.abort(), silence);
                }
            }
            return 'ended';
        } catch {
            return 'no answer';
        } finally {
            clearTimeout(watch);
        }
    }

    #take(text) {
        const blocks = text.split('\n\n');
        const rest = blocks.pop();
        for (const block of blocks) {
            const lines = block.split('\n');
            const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart()).join('\n');
            const kind = lines.find((line) => line.startsWith('event:'))?.slice(6).trim() ?? 'message';
            if (data) {
                this.#pause = 1000;
                reach.seen = new Date();
                this.latest = JSON.parse(data);
                this.#tell(true);
                this.dispatchEvent(new CustomEvent('figures', { detail: { kind, figures: this.latest } }));
            }
        }
        return rest;
    }
}

export const live = new Live();
