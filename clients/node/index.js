// Publish messages in your own transaction, and handle them as a child of `postrider work --stay`.
export { Snooze, Terminal, Transient } from "./outcome.js";
export { publish, publishMany } from "./publish.js";
export { serve } from "./serve.js";
