// The two charts of the overview. Runs come from the history in the database, which survives a restart of this server. The publication
// rate and the backlog are samples of the last hour that the server takes while it runs.
import { h, replace } from '../core/dom.js';
import { duration, milliseconds, rate, short } from '../core/format.js';
import { here, note } from '../core/route.js';
import { ends, failed, percentiles, points, spanOf, spanSwitch } from '../parts/history.js';
import { TimeChart } from '../parts/time_chart.js';

// The measures of the second chart. `of` is a figure that the server samples, `runs` one of the history.
const measures = {
    queue: { title: 'Queue time', axis: 'From publication to start', say: milliseconds, runs: 'queue_ms' },
    run: { title: 'Run time', axis: 'Duration of a run', say: milliseconds, runs: 'run_ms' },
    backlog: { title: 'Backlog', axis: 'Messages', say: short, whole: true, of: 'backlog' },
    oldest: { title: 'Oldest', axis: 'Age of the oldest message', say: duration, of: 'oldest_age_s' },
    dead: { title: 'Dead letters', axis: 'Dead letters', say: short, whole: true, of: 'dead_letters' },
};

export class OverviewCharts {
    constructor() {
        this.throughput = new TimeChart({ title: 'Throughput', axis: 'Messages per second', say: rate });
        this.waiting = new TimeChart({ title: 'Queue time', axis: '', say: milliseconds });
        this.choice = h('div.row', { role: 'group', 'aria-label': 'The second chart shows' });
        this.element = h('section.stack', h('div.row.between', h('h2', 'Over time'), h('div.row.apart', this.choice, spanSwitch())),
            h('div.charts.two', this.throughput.element, this.waiting.element));
        this.#offer();
    }

    get #measure() {
        const { query } = here();
        const name = measures[query.show] && (measures[query.show].runs || spanOf(query) === 'hour') ? query.show : 'queue';
        return [name, measures[name]];
    }

    draw(figures, history) {
        Object.assign(this, { figures, history });
        const whole = ends(history);
        const live = spanOf(here().query) === 'hour' ? figures.map((point) => ({ ...point, x: Date.parse(point.at) })).filter(({ x }) => x >= whole[0]) : [];
        whole[1] = Math.max(whole[1], live.at(-1)?.x ?? 0);
        const of = (name) => live.map((point) => ({ x: point.x, y: point[name] }));
        const per = (value) => points(history, (bucket, seconds) => value(bucket) / seconds, 0);
        this.throughput.show([
            ...(live.length > 0 ? [{ label: 'published', key: 'c3', points: of('published_per_s') }] : []),
            { label: 'delivered', key: 'c1', points: per(({ delivered }) => delivered) },
            { label: 'failed', key: 'c2', points: per(failed) },
        ], whole);
        const [, measure] = this.#measure;
        Object.assign(this.waiting, { axis: measure.axis, say: measure.say, integers: measure.whole });
        this.waiting.rename(measure.title);
        this.waiting.show(measure.runs ? percentiles(history, measure.runs) : [{ label: measure.title, key: 'c1', points: of(measure.of) }], whole);
        this.#offer();
    }

    #offer() {
        const [chosen] = this.#measure;
        const hour = spanOf(here().query) === 'hour';
        const buttons = Object.entries(measures).filter(([, { runs }]) => hour || runs).map(([name, { title }]) =>
            h('button.small', { type: 'button', class: name === chosen ? 'small main' : 'small', 'aria-pressed': String(name === chosen), click: () => {
                note({ show: name === 'queue' ? '' : name });
                this.draw(this.figures, this.history);
                [...this.choice.querySelectorAll('button')].find((button) => button.textContent === title).focus();
            } }, title));
        if (this.choice.childElementCount !== buttons.length || this.shown !== chosen) {
            this.shown = chosen;
            replace(this.choice, buttons);
        }
    }

    end() {
        this.throughput.end();
        this.waiting.end();
    }
}
