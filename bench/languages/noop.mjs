// A handler that does nothing, as a child of `postrider work --stay`.
import { serve } from "../../clients/node/index.js";

await serve({ "*": async () => {} });
