// A child that records and throws the values of its payloads.
import { serve, Snooze, Terminal, Transient } from "../../../clients/node/index.js";

await serve(
    {
        "*": async ({ payload }, run) => {
            if ("progress" in payload) {
                run.progress(...payload.progress);
            }
            if ("result" in payload) {
                run.result(payload.result);
            }
            if ("error" in payload) {
                throw new Terminal(payload.error, { errorClass: payload.error });
            }
            if ("raise" in payload) {
                throw payload.raise;
            }
            if ("delay" in payload) {
                throw new Transient("later", { delay: payload.delay });
            }
            if ("snooze" in payload) {
                throw new Snooze(payload.snooze);
            }
        },
    },
    { concurrency: 100 },
);
