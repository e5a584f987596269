// Whether the server answers and has current figures. Asked when a request or the stream fails, then until it is true again.

const every = 2000;

class Reach extends EventTarget {
    downSince = null;
    /** When an answer arrived last. */
    seen = new Date();
    reason = '';
    #asking = false;

    /** Something failed: finds out whether the server is there. */
    async doubt() {
        if (this.#asking) {
            return;
        }
        this.#asking = true;
        for (let reason = await this.#ask(); reason; reason = await this.#ask()) {
            if (!this.downSince || this.reason !== reason) {
                this.downSince ??= this.seen;
                this.reason = reason;
                this.dispatchEvent(new Event('change'));
            }
            await new Promise((resolve) => { setTimeout(resolve, every); });
        }
        this.#asking = false;
        if (this.downSince) {
            this.downSince = null;
            this.dispatchEvent(new Event('change'));
        }
    }

    /** Empty when it is ready; otherwise the reason. */
    async #ask() {
        try {
            const answer = await fetch('/readyz', { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(10000) });
            return answer.ok || answer.status === 429 ? '' : 'the server cannot read the database';
        } catch {
            return 'the server does not answer';
        }
    }
}

export const reach = new Reach();
