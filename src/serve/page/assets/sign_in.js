// The form that exchanges a token for a session.
import { signIn } from './core/api.js';
import { problem } from './parts/ask.js';
import { h, replace } from './core/dom.js';

/** refusal: why the token of a link was refused, if it was. */
export function signInForm(refusal) {
    const input = h('input', { name: 'token', type: 'password', required: true, autocomplete: 'current-password' });
    const wrong = h('div', { role: 'alert' }, refusal && problem(refusal));
    const form = h('form.filter', { submit: async (event) => {
        event.preventDefault();
        try {
            await signIn(input.value.trim());
        } catch (failure) {
            replace(wrong, problem(failure));
            input.select();
        }
    } }, h('label', 'Token', input), h('button.main', { type: 'submit' }, 'Sign in'));
    return [h('h1', 'Sign in'),
        h('p', 'Open the link that postrider serve printed when it started, or enter a token. ',
            'An administrator makes one with ', h('code', 'postrider token create'), '.'), wrong, form];
}
