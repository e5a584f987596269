// Texts of figures, instants and durations. Instants are shown in UTC like everywhere in Postrider, or in local time if the user chooses it.
import { h } from './dom.js';

const place = 'postrider.zone';

/** 'UTC' or 'local time'. */
export function zone() {
    return localStorage.getItem(place) === 'local' ? 'local time' : 'UTC';
}

/** Dispatches `zone` on the document. */
export function switchZone() {
    localStorage.setItem(place, zone() === 'UTC' ? 'local' : 'utc');
    document.dispatchEvent(new Event('zone'));
}

/** 1234567.8 → 1,234,567.8. Intl would load its data first, which takes as long as everything else until the first paint. */
function grouped(number) {
    const [whole, part] = String(Math.round(number * 1000) / 1000).split('.');
    return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part ? `.${part}` : '');
}

export function count(value) {
    return value === null || value === undefined ? '–' : grouped(Number(value));
}

/** Compact: 1,234 → 1.2k. */
export function short(value) {
    const number = Number(value ?? 0);
    for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e4]]) {
        if (number >= size) {
            const scaled = number / (unit === 'k' ? 1e3 : size);
            return `${scaled >= 100 ? scaled.toFixed(0) : scaled.toFixed(1)}${unit}`;
        }
    }
    return grouped(Math.round(number));
}

export function rate(value) {
    const number = Number(value ?? 0);
    return `${number >= 100 ? grouped(Math.round(number)) : number.toFixed(number >= 10 || number === 0 ? 0 : 1)}/s`;
}

export function plural(number, one, many = `${one}s`) {
    return `${count(number)} ${Number(number) === 1 ? one : many}`;
}

export function duration(seconds) {
    if (seconds === null || seconds === undefined) {
        return '–';
    }
    const s = Math.max(0, Number(seconds));
    if (s < 1) {
        return s === 0 ? '0 s' : `${Math.round(s * 1000)} ms`;
    }
    const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
    const at = units.findIndex(([, size]) => s >= size);
    const [unit, size] = units[at];
    const whole = Math.floor(s / size);
    const [nextUnit, nextSize] = units[at + 1] ?? [];
    const part = nextUnit && whole < 10 ? Math.floor((s - whole * size) / nextSize) : 0;
    return part > 0 ? `${whole} ${unit} ${part} ${nextUnit}` : `${whole} ${unit}`;
}

export function secondsSince(instant) {
    return instant ? (Date.now() - Date.parse(instant)) / 1000 : null;
}

/** As an ISO text of the zone that is shown, without its end. */
function local(at) {
    const shift = zone() === 'UTC' ? 0 : at.getTimezoneOffset() * 60000;
    return new Date(at.getTime() - shift).toISOString();
}

function offset(at) {
    const minutes = -at.getTimezoneOffset();
    const two = (number) => String(Math.floor(Math.abs(number))).padStart(2, '0');
    return zone() === 'UTC' ? 'Z' : `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

export function stamp(instant) {
    const at = new Date(instant);
    return Number.isNaN(at.getTime()) ? String(instant) : local(at).replace('T', ' ').replace(/\.\d+Z$/, offset(at));
}

export function clock(instant) {
    return local(new Date(instant)).slice(11, 19);
}

/** 17 Nov */
export function day(instant) {
    const [, month, date] = local(new Date(instant)).slice(0, 10).split('-');
    return `${Number(date)} ${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][month - 1]}`;
}

/** A duration in milliseconds, with as many digits as are true. */
export function milliseconds(ms) {
    if (ms === null || ms === undefined || ms === Infinity) {
        return ms === Infinity ? 'any time' : '–';
    }
    return ms < 1 ? `${Math.round(ms * 1000)} µs` : ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms`
        : ms < 10000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms / 1000);
}

function words(instant) {
    const ago = secondsSince(instant);
    // One unit is enough beside the exact instant, and does not change every second.
    const text = duration(Math.abs(ago) < 1 ? 0 : Math.abs(ago)).split(' ').slice(0, 2).join(' ');
    return Math.abs(ago) < 1 ? 'now' : ago < 0 ? `in ${text}` : `${text} ago`;
}

/** An instant as "4 min ago", the exact one in the title and for machines. */
export function ago(instant) {
    if (!instant) {
        return h('span.none', '–');
    }
    return h('time', { datetime: instant, title: stamp(instant) }, words(instant));
}

/** The exact instant, then how long ago. */
export function when(instant) {
    if (!instant) {
        return h('span.none', '–');
    }
    return h('span', h('time', { datetime: instant }, stamp(instant)), h('span.muted', ` ${words(instant)}`));
}

/** Updates the texts of ago() while the page is open. */
export function keepTime(root) {
    for (const element of root.querySelectorAll('time[title]')) {
        const text = words(element.dateTime);
        if (element.textContent !== text) {
            element.textContent = text;
        }
    }
}

/** 45 days, 00:05:00 … as PostgreSQL writes intervals, for people. */
export function interval(text) {
    const clockPart = /(?:^| )(\d+):(\d\d):(\d\d)(?:\.\d+)?$/.exec(text ?? '');
    if (!clockPart) {
        return text ?? '–';
    }
    const parts = ['h', 'min', 's'].map((unit, at) => [Number(clockPart[at + 1]), unit]).filter(([number]) => number > 0).map(([number, unit]) => `${number} ${unit}`);
    return [text.slice(0, clockPart.index), ...parts].filter(Boolean).join(' ') || 'none';
}
