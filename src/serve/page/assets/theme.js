// Runs before the first paint, so that no other theme flashes. Without a choice the system's counts.
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
