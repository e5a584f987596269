// Part of the HTML, so it runs before the first paint and before the other scripts are there: applies the theme, so that no other theme
// flashes, and begins the requests that the first view needs. Without a choice the system's theme counts. Until that view is there (main.js)
// nothing is laid out: the browser would do it twice. If it takes longer, the frame is shown without it.
document.documentElement.hidden = true;
setTimeout(() => { document.documentElement.hidden = false; }, 400);
(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
        const chosen = localStorage.getItem('postrider.theme');
        document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
        document.dispatchEvent(new Event('theme'));
    };
    dark.addEventListener('change', apply);
    apply();
})();
/** Answers by path, to be taken once by core/api.js. begin(key, me): with the key of a session, and its holder if known. */
globalThis.early = {
    answers: new Map(),
    /** The answer together with its body. A body that is read later lets the browser paint an empty page first. */
    async whole(path, key) {
        const response = await fetch(`/api/v1/${path}`,
            { cache: 'no-cache', credentials: 'same-origin', headers: { 'x-postrider-session': key, accept: 'application/json' } });
        const text = await response.text();
        return { ok: response.ok, status: response.status, headers: response.headers, json: async () => JSON.parse(text) };
    },
    begin(key, me) {
        if (me) {
            // Figures of the whole are not for every token; noted for the next time.
            localStorage[me.workspace ? 'removeItem' : 'setItem']('postrider.whole', 'yes');
        }
        const overview = localStorage.getItem('postrider.whole') && ['', '#', '#/'].includes(location.hash.replace(/\?.*/, ''));
        for (const path of overview ? ['me', 'overview'] : ['me']) {
            const answer = path === 'me' && me ? Promise.resolve({ ok: true, status: 200, json: async () => me }) : this.whole(path, key);
            answer.catch(() => {});
            this.answers.set(path, answer);
        }
    },
};
if (/^#?\/[^&?]/.test(location.hash)) {
    // A view of the second script is shown first.
    const views = document.createElement('link');
    views.rel = 'modulepreload';
    views.href = document.querySelector('meta[name="views"]').content;
    document.head.append(views);
}
if (localStorage.getItem('postrider.session') && !location.hash.includes('token=')) {
    globalThis.early.begin(localStorage.getItem('postrider.session'));
}
