import {fencedCode, inlineCode} from './markdown-code.ts';
import {createMarkdownFlow} from './markdown-flow.ts';
import {block, collected, flowOf, indented, marked, say, type Closing, type MarkdownState} from './markdown-state.ts';
import {createTable} from './markdown-table.ts';

export type Attributes = Readonly<Record<string, string>>;

const MAX_TITLE_CHARS = 300;
/** Tables within tables: deeper ones are text. */
const MAX_TABLES = 8;

/** Begins a visible element. */
export function openElement(state: MarkdownState, name: string, attributes: Attributes): Closing {
  if (Object.hasOwn(ELEMENTS, name)) return ELEMENTS[name]?.(state, attributes);
  if (CODE.has(name)) return collected(state, (text) => text.trim() !== '' && say(state, inlineCode(text)));
  if (/^h[1-6]$/.test(name)) return heading(state, Number(name[1]));
  if (PARAGRAPHS.has(name)) return block(state, true);
  return LINES.has(name) ? block(state, false) : undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const CODE = words('code kbd samp tt var');
const PARAGRAPHS = words('p section article main header footer nav aside figure details form fieldset dl address center');
const LINES = words('div dt summary figcaption caption legend option tbody thead tfoot label');

const ELEMENTS: Readonly<Record<string, (state: MarkdownState, attributes: Attributes) => Closing>> = {
  title: (state) => collected(state, (text) => (state.title ??= text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS))),
  base(state, {href}) {
    state.base = (href === undefined ? null : URL.parse(href, state.page.href)) ?? state.base;
    return undefined;
  },
  br(state) {
    if (state.raw === undefined) flowOf(state).lineEnd();
    else state.raw.push('\n');
    return undefined;
  },
  hr(state) {
    flowOf(state).verbatim(['---']);
    return undefined;
  },
  img(state, {alt = ''}) {
    if (alt.trim() !== '') say(state, `[image: ${alt.trim()}]`);
    return undefined;
  },
  pre: (state, {class: names = ''}) => collected(state, (text) => flowOf(state).verbatim(fencedCode(text, names))),
  strong: (state) => marked(state, '**', '**'),
  b: (state) => marked(state, '**', '**'),
  a: (state, {href}) => link(state, href),
  ul: (state) => list(state, {ordered: false, next: 1}),
  ol: (state, {start = ''}) => list(state, {ordered: true, next: /^\d{1,6}$/.test(start) ? Number(start) : 1}),
  li: listItem,
  dd: (state) => indented(state, {prefix: '  ', gap: false}),
  blockquote: (state) => indented(state, {prefix: '> ', gap: true}),
  table,
  tr: tableRow,
  td: tableCell,
  th: tableCell,
};

function heading(state: MarkdownState, level: number): Closing {
  const end = block(state, true);
  const close = marked(state, `${'#'.repeat(level)} `, '');
  return () => {
    close?.();
    end();
  };
}

/** Only to the web and to people; any other address is of no use, or a way to run something. */
function link(state: MarkdownState, href: string | undefined): Closing {
  const target = href === undefined || href.startsWith('#') ? null : URL.parse(href, state.base.href);
  if (target === null || !['http:', 'https:', 'mailto:'].includes(target.protocol)) return undefined;
  return marked(state, '[', `](${target.href.replaceAll('(', '%28').replaceAll(')', '%29')})`);
}

function list(state: MarkdownState, opened: MarkdownState['lists'][number]): Closing {
  const end = block(state, state.lists.length === 0);
  state.lists.push(opened);
  return () => {
    state.lists.pop();
    end();
  };
}

function listItem(state: MarkdownState): Closing {
  const around = state.lists.at(-1);
  const first = around?.ordered === true ? `${around.next}. ` : '- ';
  if (around !== undefined) around.next += 1;
  return indented(state, {prefix: ' '.repeat(first.length), first, gap: false});
}

function table(state: MarkdownState): Closing {
  const end = block(state, true);
  if (state.tables.length >= MAX_TABLES) return end;
  state.tables.push(createTable());
  return () => {
    state.tables.pop()?.endRow(flowOf(state));
    end();
  };
}

/** Returns the table that a row or cell belongs to; undefined: it is outside a table, and is treated as a block. */
function tableAround({tables, cells}: MarkdownState) {
  return cells.length < tables.length ? tables.at(-1) : undefined;
}

function tableRow(state: MarkdownState): Closing {
  const around = tableAround(state);
  if (around === undefined) return block(state, false);
  around.endRow(flowOf(state));
  return () => around.endRow(flowOf(state));
}

function tableCell(state: MarkdownState): Closing {
  const around = tableAround(state);
  if (around === undefined) return block(state, false);
  const own = createMarkdownFlow();
  state.cells.push(own);
  return () => {
    state.cells.pop();
    around.cell(own.toString());
  };
}
