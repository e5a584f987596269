// A large chart over time with labelled axes. A range is zoomed by dragging over it, or with the buttons.
import { h, replace } from '../core/dom.js';
import { clock, day, zone } from '../core/format.js';

let library = null;

/** The library for charts is larger than all the rest, so it is loaded when a chart is drawn for the first time. */
function needLibrary() {
    library ??= new Promise((resolve, reject) => {
        const script = Object.assign(document.createElement('script'), { src: document.querySelector('meta[name=chart]').content });
        script.addEventListener('load', resolve);
        script.addEventListener('error', () => {
            library = null;
            reject(new Error('the library for charts could not be loaded'));
        });
        document.head.append(script);
    });
    return library;
}

function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const dayLong = 86400000;

function tick(value, range) {
    return range > 2 * dayLong ? day(value) : clock(value).slice(0, range < 600000 ? 8 : 5);
}

/** A point without neighbours is drawn as a dot. */
function radii(points) {
    const known = (at) => (points[at]?.y ?? null) !== null;
    return points.map((_, at) => (known(at) && !known(at - 1) && !known(at + 1) ? 2.5 : 0));
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800].map((s) => s * 1000);

/** At most eight round instants in the displayed time zone. */
function roundTicks(min, max) {
    const step = steps.find((one) => (max - min) / one <= 7) ?? steps.at(-1);
    const shift = zone() === 'UTC' ? 0 : new Date(max).getTimezoneOffset() * 60000;
    const found = [];
    for (let at = Math.ceil((min - shift) / step) * step + shift; at <= max; at += step) {
        found.push({ value: at });
    }
    return found;
}

/**
 * lines: [{label, key: 'c1' | 'c2' | 'c3', points: [{x, y}]}], x in milliseconds, y null without data.
 * say(y): a value with its unit. integers: values are whole numbers. axis: label of the y axis. markers: [{x, label}], vertical lines.
 */
export class TimeChart {
    #range = null;
    #from = null;

    constructor({ title, axis, say, integers }) {
        Object.assign(this, { title, axis, say, integers, lines: [], markers: [], whole: [0, 1] });
        this.canvas = h('canvas', { role: 'img', 'aria-label': title });
        this.keys = h('span.chart-keys');
        this.name = h('b', title);
        const button = (text, label, click) => h('button.small', { type: 'button', 'aria-label': `${label} ${title}`, click }, text);
        this.back = button('Whole span', 'Show the whole span of', () => this.#zoom(null));
        this.element = h('figure.chart.large', h('figcaption', h('span', this.name, this.keys),
            h('span.row', button('+', 'Zoom in to the end of', () => this.#closer()), this.back)), h('div.canvas', this.canvas));
        this.canvas.addEventListener('pointerdown', (event) => { this.#from = this.#at(event); });
        this.canvas.addEventListener('pointerup', (event) => this.#drop(event));
        this.restyle = () => this.#draw(true);
        document.addEventListener('theme', this.restyle);
        document.addEventListener('zone', this.restyle);
    }

    rename(title) {
        this.title = title;
        this.name.textContent = title;
    }

    /** whole: [from, to] in milliseconds. */
    show(lines, whole, markers = []) {
        Object.assign(this, { lines, whole, markers });
        this.#draw(false);
    }

    #at(event) {
        return this.chart?.scales.x.getValueForPixel(event.offsetX);
    }

    #drop(event) {
        const ends = [this.#from, this.#at(event)].sort((a, b) => a - b);
        this.#from = null;
        // Less is a tap.
        if (ends[1] - ends[0] > (this.whole[1] - this.whole[0]) / 50) {
            this.#zoom(ends);
        }
    }

    #closer() {
        const [from, to] = this.#range ?? this.whole;
        this.#zoom([to - (to - from) / 2, to]);
    }

    #zoom(range) {
        this.#range = range;
        this.#draw(false);
    }

    #options() {
        const text = { color: colour('muted'), font: { size: 11 }, maxRotation: 0 };
        const [min, max] = this.#range ?? this.whole;
        const name = (words) => ({ display: true, text: words, color: colour('muted'), font: { size: 11 } });
        return {
            animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true, spanGaps: false,
            interaction: { mode: 'nearest', axis: 'x', intersect: false },
            scales: {
                x: { type: 'linear', min, max, grid: { display: false }, title: name(`Time (${zone()})`),
                    afterBuildTicks: (axis) => { axis.ticks = roundTicks(min, max); },
                    ticks: { ...text, autoSkip: true, maxTicksLimit: 8, callback: (value) => tick(value, max - min) } },
                y: { beginAtZero: true, suggestedMax: 1, grace: '5%', title: name(this.axis), grid: { color: colour('line') },
                    ticks: { ...text, maxTicksLimit: 5, precision: this.integers ? 0 : undefined, callback: (value) => this.say(value) } },
            },
            plugins: { legend: { display: false }, tooltip: { animation: false, callbacks: {
                title: ([item]) => `${day(item.parsed.x)} ${clock(item.parsed.x)} ${zone()}`,
                label: (item) => `${item.dataset.label} ${this.say(item.parsed.y)}` } } },
        };
    }

    #draw(again) {
        this.back.hidden = !this.#range;
        replace(this.keys, this.lines.map(({ label, key }) => h('span', h(`span.key.${key}`), label)));
        if (globalThis.Chart) {
            this.#plot();
        } else {
            needLibrary().then(() => this.ended || this.chart || this.#plot(), () => {});
        }
        if (!again) {
            this.canvas.setAttribute('aria-label', `${this.title}: ${this.lines.map((line) => this.#describe(line)).join('; ')}`);
        }
    }

    #plot() {
        const sets = this.lines.map(({ label, key, points }) => ({ label, data: points, borderColor: colour(key), backgroundColor: colour(key),
            borderWidth: 1.5, pointRadius: radii(points), pointHitRadius: 8, tension: 0 }));
        this.chart ??= new globalThis.Chart(this.canvas, { type: 'line', data: { datasets: [] }, options: this.#options(),
            plugins: [{ id: 'markers', afterDatasetsDraw: (chart) => this.#mark(chart) }] });
        this.chart.data.datasets = sets;
        this.chart.options = this.#options();
        this.chart.update('none');
    }

    #mark({ ctx, scales, chartArea }) {
        for (const { x, label } of this.markers) {
            const at = scales.x.getPixelForValue(x);
            if (at >= chartArea.left && at <= chartArea.right) {
                Object.assign(ctx, { strokeStyle: colour('c3'), fillStyle: colour('muted'), lineWidth: 1, font: '11px sans-serif' });
                ctx.setLineDash([4, 3]);
                ctx.beginPath();
                ctx.moveTo(at, chartArea.top);
                ctx.lineTo(at, chartArea.bottom);
                ctx.stroke();
                ctx.setLineDash([]);
                ctx.textAlign = at > (chartArea.left + chartArea.right) / 2 ? 'right' : 'left';
                ctx.fillText(label, at + (ctx.textAlign === 'left' ? 4 : -4), chartArea.top + 10);
            }
        }
    }

    #describe({ label, points }) {
        const known = points.filter(({ y }) => y !== null);
        if (known.length === 0) {
            return `${label}: no figures`;
        }
        const most = known.reduce((best, point) => (point.y > best.y ? point : best));
        return `${label}: last ${this.say(known.at(-1).y)}, at most ${this.say(most.y)} at ${clock(most.x)} ${zone()}`;
    }

    end() {
        this.ended = true;
        document.removeEventListener('theme', this.restyle);
        document.removeEventListener('zone', this.restyle);
        this.chart?.destroy();
    }
}
