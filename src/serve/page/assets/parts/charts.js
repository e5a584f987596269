// Figures over time. A chart is drawn by Chart.js, which the server serves like every other file of the page.
import { h } from '../core/dom.js';
import { clock, duration, rate, short } from '../core/format.js';

const kinds = [
    { title: 'Throughput', lines: [['published_per_s', 'in', 'c1'], ['delivered_per_s', 'out', 'c3']], say: rate },
    { title: 'Backlog', lines: [['backlog', 'waiting', 'c1']], say: short },
    { title: 'Oldest age', lines: [['oldest_age_s', 'oldest', 'c1']], say: duration },
    { title: 'Failures', lines: [['failed_per_s', 'died', 'c2']], say: rate },
    { title: 'Dead letters', lines: [['dead_letters', 'dead letters', 'c2']], say: short },
];

function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function options(say) {
    const text = { color: colour('muted'), font: { size: 11 }, maxRotation: 0 };
    return {
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
        interaction: { mode: 'index', intersect: false },
        scales: {
            x: { type: 'linear', bounds: 'data', grid: { display: false }, ticks: { ...text, maxTicksLimit: 5,
                callback: (value) => clock(value).slice(0, 5) } },
            y: { beginAtZero: true, suggestedMax: 1, grid: { color: colour('line'), drawBorder: false },
                ticks: { ...text, maxTicksLimit: 4, callback: (value) => say(value) } },
        },
        plugins: {
            legend: { display: false },
            tooltip: { animation: false, callbacks: { title: ([item]) => `${clock(item.parsed.x)} UTC`,
                label: (item) => `${item.dataset.label} ${say(item.parsed.y)}` } },
        },
    };
}

/** A row of charts; draw(history) shows points, restyle() follows the theme, end() lets go. */
export class Charts {
    constructor() {
        this.parts = kinds.map((kind) => {
            const canvas = h('canvas', { role: 'img', 'aria-label': `${kind.title} over time` });
            const now = h('b');
            const keys = kind.lines.length > 1 && kind.lines.map(([, word, key]) => h('span', h(`span.key.${key}`), word));
            const figure = h('figure.chart', h('figcaption', h('span', kind.title, keys), now), h('div.canvas', canvas));
            return { kind, canvas, now, figure };
        });
        this.element = h('div.charts', this.parts.map(({ figure }) => figure));
        this.restyle = this.restyle.bind(this);
        document.addEventListener('theme', this.restyle);
    }

    draw(history) {
        for (const part of this.parts) {
            const { kind } = part;
            const sets = kind.lines.map(([name]) => history.map((point) => ({ x: Date.parse(point.at), y: point[name] })));
            part.chart ??= this.#make(part);
            part.chart?.data.datasets.forEach((dataset, at) => { dataset.data = sets[at]; });
            part.chart?.update('none');
            this.#describe(part, sets);
        }
    }

    #make({ kind, canvas }) {
        if (!globalThis.Chart) {
            return undefined;
        }
        const datasets = kind.lines.map(([, label, key]) => ({ label, data: [], borderColor: colour(key), backgroundColor: colour(key),
            borderWidth: 1.5, pointRadius: 0, pointHitRadius: 6, tension: 0, key }));
        return new globalThis.Chart(canvas, { type: 'line', data: { datasets }, options: options(kind.say) });
    }

    #describe({ kind, canvas, now }, sets) {
        const last = sets[0].at(-1);
        now.textContent = last ? sets.map((set) => kind.say(set.at(-1).y)).join(' / ') : '–';
        const most = sets[0].reduce((best, point) => (point.y > best.y ? point : best), { y: -1 });
        const range = last ? `: now ${now.textContent}, at most ${kind.say(most.y)} at ${clock(most.x)} UTC` : ': no figures yet';
        canvas.setAttribute('aria-label', `${kind.title} over the last hour${range}`);
    }

    restyle() {
        for (const { chart, kind } of this.parts) {
            if (chart) {
                chart.options = options(kind.say);
                for (const dataset of chart.data.datasets) {
                    dataset.borderColor = colour(dataset.key);
                    dataset.backgroundColor = colour(dataset.key);
                }
                chart.update('none');
            }
        }
    }

    end() {
        document.removeEventListener('theme', this.restyle);
        for (const { chart } of this.parts) {
            chart?.destroy();
        }
    }
}
