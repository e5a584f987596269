// The conformance child of the Node.js client.
import fs from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { serve, Snooze, Terminal, Transient } from "../../../clients/node/index.js";

await serve({
    "order.*": async ({ payload }, run) => {
        console.log("stdout of a handler is no line of the protocol");
        switch (payload.do) {
            case "fail":
                throw new Transient("as asked", { errorClass: "example" });
            case "terminal":
                throw new Terminal("as asked", { errorClass: "example" });
            case "snooze":
                throw new Snooze(1500);
            case "record":
                run.progress(0.5, "half");
                run.result({ n: 1 });
                break;
            case "crash":
                process.exit(3);
                break;
            case "wait":
                fs.writeFileSync(`${payload.file}.begun`, "");
                while (!fs.existsSync(payload.file)) {
                    await pause(20);
                }
        }
    },
});
