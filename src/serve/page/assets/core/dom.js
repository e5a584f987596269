// Builds the document. Text of messages, errors and names becomes text nodes: it is never parsed as HTML, and
// attributes with scripts or styles cannot be set.

const namespaces = { svg: 'http://www.w3.org/2000/svg' };

function put(element, name, value) {
    if (value === null || value === undefined || value === false) {
        return;
    }
    if (typeof value === 'function') {
        element.addEventListener(name, value);
    } else if (name.startsWith('on') || name === 'style' || name === 'srcdoc') {
        throw new Error(`attribute ${name} is not set from here`);
    } else if (name === 'href' && !/^[#/]/.test(value)) {
        throw new Error('links stay on this page');
    } else if (name === 'value') {
        element.value = value;
    } else {
        element.setAttribute(name, value === true ? '' : String(value));
    }
}

function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child !== null && child !== undefined && child !== false) {
            element.append(child instanceof Node ? child : String(child));
        }
    }
}

function build(element, rest) {
    const [first] = rest;
    const hasAttributes = first && typeof first === 'object' && !(first instanceof Node) && !Array.isArray(first);
    if (hasAttributes) {
        for (const [name, value] of Object.entries(first)) {
            put(element, name, value);
        }
    }
    append(element, hasAttributes ? rest.slice(1) : rest);
    return element;
}

/** h('a.quiet', {href: '#/'}, 'text', node…). A function among the attributes listens to the event of that name. */
export function h(spec, ...rest) {
    const [tag, ...classes] = spec.split('.');
    const element = document.createElement(tag);
    if (classes.length > 0) {
        element.className = classes.join(' ');
    }
    return build(element, rest);
}

/** The same for an element of a drawing. */
export function svg(tag, ...rest) {
    return build(document.createElementNS(namespaces.svg, tag), rest);
}

/** A link to another site, which the operator of the server has configured. */
export function outerLink(address, text) {
    if (!/^https?:\/\//.test(address)) {
        throw new Error('an outer link is of http');
    }
    const anchor = h('a', { target: '_blank', rel: 'noopener noreferrer' }, text);
    anchor.href = address;
    return anchor;
}

export function replace(element, ...children) {
    element.replaceChildren();
    append(element, children);
    return element;
}

/** Replaces a part unless it has the focus or would be equal: it does not flicker, and screen readers do not repeat it. */
export function replaceCalmly(place, ...children) {
    const fresh = replace(place.cloneNode(false), children);
    if (!place.contains(document.activeElement) && !fresh.isEqualNode(place)) {
        place.replaceChildren(...fresh.childNodes);
    }
}

/** Calls `then` after the browser has painted the current document. */
export function afterPaint(then) {
    requestAnimationFrame(() => setTimeout(then));
}

// Characters that are invisible or change the direction or position of the following text (spoofing).
const unseen =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text as nodes, with unseen characters shown as their code points. */
export function visible(text) {
    const nodes = [];
    let from = 0;
    for (const match of String(text).matchAll(unseen)) {
        nodes.push(text.slice(from, match.index));
        const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
        nodes.push(h('span.unseen', { title: 'a character that is not seen' }, `U+${code}`));
        from = match.index + match[0].length;
    }
    nodes.push(String(text).slice(from));
    return nodes.filter((node) => node !== '');
}

/** A value from outside, kept apart from the text around it. */
export function outside(text, spec = 'bdi') {
    return h(spec, visible(text ?? ''));
}

export function shortened(text, length = 160) {
    const line = String(text ?? '').replace(/\s+/g, ' ').trim();
    return line.length > length ? `${line.slice(0, length)}…` : line;
}
