// The button that changes between light and dark; early.js applies the choice before the first paint.

export function startTheme() {
    const button = document.getElementById('theme');
    const isDark = () => document.documentElement.dataset.theme === 'dark';
    const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
    button.addEventListener('click', () => {
        const next = isDark() ? 'light' : 'dark';
        document.documentElement.dataset.theme = next;
        localStorage.setItem('postrider.theme', next);
        document.dispatchEvent(new Event('theme'));
    });
    document.addEventListener('theme', name);
    name();
}
