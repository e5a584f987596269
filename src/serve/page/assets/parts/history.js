// Runs over time, as the server counts them in buckets: lines for charts, a switch for the span, and the heat map.
import { h, svg } from '../core/dom.js';
import { clock, day, milliseconds, plural, zone } from '../core/format.js';
import { here, link } from '../core/route.js';

const spans = { hour: 'Hour', day: 'Day', week: 'Week' };

export function spanOf(query, usual = 'hour') {
    return spans[query.span] ? query.span : usual;
}

/** Links to the same view with another span. */
export function spanSwitch(usual = 'hour') {
    const { parts, query } = here();
    const now = spanOf(query, usual);
    return h('nav.row', { 'aria-label': 'Span' }, Object.entries(spans).map(([span, title]) =>
        h('a.button.small', { href: link(parts, { ...query, span: span === usual ? '' : span }), class: `button small${now === span ? ' main' : ''}`,
            'aria-current': now === span ? 'true' : null }, title)));
}

export function ends(history) {
    return [Date.parse(history.from), Date.parse(history.to)];
}

/** One point per bucket, in its middle: value(bucket, seconds). Buckets without runs are `none`. */
export function points(history, value, none = null) {
    const width = history.bucket_s * 1000;
    const [from, to] = ends(history);
    const known = new Map(history.buckets.map((bucket) => [Date.parse(bucket.since), bucket]));
    const found = [];
    for (let at = from; at < to; at += width) {
        const seconds = Math.min(width, to - at) / 1000;
        // The newest bucket has only begun: a rate over some seconds jumps.
        if (seconds >= 15 || known.get(at)) {
            found.push({ x: Math.min(at + width / 2, to), y: known.has(at) ? value(known.get(at), Math.max(seconds, 15)) : none });
        }
    }
    return found;
}

export const failed = ({ transient, terminal }) => transient + terminal;

/** Lines of the three percentiles of 'run_ms' or 'queue_ms'. */
export function percentiles(history, name) {
    return [['median', 'c1'], ['95 %', 'c3'], ['99 %', 'c2']].map(([label, key], at) =>
        ({ label, key, points: points(history, (bucket) => bucket[name]?.[at] ?? null) }));
}

/** Durations over time: the darker a cell, the more runs took that long. */
export function heatMap(history) {
    const [from, to] = ends(history);
    const rows = history.buckets.flatMap(({ run_times: counts }) => counts.map((n, at) => (n > 0 ? at : -1)).filter((at) => at >= 0));
    if (rows.length === 0) {
        return h('p.muted', 'No runs in this span.');
    }
    const low = Math.max(0, Math.min(...rows) - 1);
    const high = Math.max(...rows) + 1;
    const most = Math.max(...history.buckets.flatMap((bucket) => bucket.run_times));
    const columns = Math.round((to - from) / 1000 / history.bucket_s) + 1;
    const size = { cell: 10, row: 8, left: 58, bottom: 18 };
    const width = size.left + columns * size.cell;
    const height = (high - low + 1) * size.row + size.bottom;
    const x = (since) => size.left + Math.floor((Date.parse(since) - from) / 1000 / history.bucket_s) * size.cell;
    const y = (row) => (high - row) * size.row;
    const every = Math.max(1, Math.ceil((high - low + 1) / 7));
    const label = `Run times of ${plural(history.buckets.length, 'bucket')}: from ${milliseconds(history.bounds_ms[low])} to ${milliseconds(history.bounds_ms[high + 1] ?? history.bounds_ms[high])}`;
    return h('div.heat', { tabindex: '0', role: 'group', 'aria-label': 'Heat map of run times' },
        svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, preserveAspectRatio: 'none' },
            history.buckets.flatMap((bucket) => bucket.run_times.map((n, row) => n > 0 && svg('rect',
                { x: x(bucket.since), y: y(row), width: size.cell - 0.5, height: size.row - 0.5, 'fill-opacity': (0.2 + 0.8 * Math.log1p(n) / Math.log1p(most)).toFixed(2) },
                svg('title', `${day(bucket.since)} ${clock(bucket.since).slice(0, 5)} ${zone()}: ${plural(n, 'run')} from ${milliseconds(history.bounds_ms[row])} to ${milliseconds(history.bounds_ms[row + 1] ?? Infinity)}`)))),
            history.bounds_ms.slice(low, high + 1).map((bound, at) => at % every === 0 &&
                svg('text', { x: size.left - 4, y: y(low + at) + size.row, 'text-anchor': 'end' }, milliseconds(bound))),
            [0, 0.5, 1].map((part) => svg('text', { x: size.left + part * (width - size.left), y: height - 5,
                'text-anchor': ['start', 'middle', 'end'][part * 2] }, `${history.span === 'week' ? `${day(from + part * (to - from))} ` : ''}${clock(from + part * (to - from)).slice(0, 5)}`))));
}
