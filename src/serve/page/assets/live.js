// Live figures: one stream for the whole page. EventSource cannot send a token, so the stream is read by hand.
import { headers, tokens } from './api.js';

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
        // The next token may have access to other figures, or none.
        tokens.addEventListener('change', () => {
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
            await new Promise((resolve) => {
                this.#wake = resolve;
                // Refused as long as it is this token that asks.
                if (!document.hidden && reason !== 'refused') {
                    setTimeout(resolve, this.#pause);
                }
            });
            this.#pause = Math.min(this.#pause * 2, 15000);
        }
    }

    /** Reads until the stream ends; gives why it did. */
    async #read() {
        const stop = new AbortController();
        this.#stop = stop;
        this.#changed = false;
        let watch = setTimeout(() => stop.abort(), silence);
        try {
            const response = await fetch('/api/v1/live', {
                headers: headers({ accept: 'text/event-stream' }), signal: stop.signal, cache: 'no-store', credentials: 'omit',
            });
            if (!response.ok) {
                // Figures of the whole are not for every token.
                return response.status === 403 ? 'refused' : `status ${response.status}`;
            }
            const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
            let rest = '';
            for (let part = await reader.read(); !part.done; part = await reader.read()) {
                clearTimeout(watch);
                watch = setTimeout(() => stop.abort(), silence);
                rest = this.#take(rest + part.value.replaceAll('\r', ''));
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
                this.latest = JSON.parse(data);
                this.#tell(true);
                this.dispatchEvent(new CustomEvent('figures', { detail: { kind, figures: this.latest } }));
            }
        }
        return rest;
    }
}

export const live = new Live();
