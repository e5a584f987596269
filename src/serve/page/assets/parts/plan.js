// Changes with a preview before the confirmation.
import { ask, problem, reasonField } from './ask.js';

/**
 * Shows a dialog with the fields, if there are any, then one with their effect and a reason. look(values) returns the effect,
 * told(effect, values) the second dialog as {title, text, action, danger}, perform(effect, values, reason) makes the change. Returns its
 * result, or null.
 */
export async function plan({ title, text, fields, look, told, perform }) {
    const find = async (values) => ({ values, effect: await look(values) });
    let found;
    if (fields) {
        found = await ask({ title, text, fields, action: 'Show the effect', perform: find });
    } else {
        try {
            found = await find({});
        } catch (failure) {
            await ask({ title: 'This cannot be done', text: problem(failure), action: 'Close', perform: () => true });
        }
    }
    return found ? ask({ ...told(found.effect, found.values), fields: [reasonField],
        perform: ({ reason }) => perform(found.effect, found.values, reason) }) : null;
}
