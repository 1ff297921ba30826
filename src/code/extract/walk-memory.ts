import {larger, roomFor, rowsOf, type Columns} from './columns.ts';
import {ERROR_TYPE} from './syntax.ts';
import {addressOf, type Walk} from './walk-cursor.ts';

/** The engine's memory, as the engine shows it; new objects whenever it has grown. */
export interface EngineMemory {
  readonly HEAPU16: Uint16Array;
  readonly HEAPU32: Uint32Array;
}

/**
 * The nodes of a tree, read where the engine keeps them, without calling it: a call for each node costs more than the parse of many. The layout
 * is that of `subtree.h`, `tree.h` and `parser.h` of tree-sitter 0.26 for 32 bits; whoever opens a grammar compares this walk with that of the
 * cursor before it is trusted.
 */
export function walkMemory({tree, calls: {HEAPU16: halves, HEAPU32: words}, named}: Walk<EngineMemory>): Columns {
  const address = addressOf(tree) >>> 2;
  const grammar = grammarAt(words, (words[address + TREE.language] ?? 0) >>> 2);
  const levels: Level[] = [{...newLevel(), next: address, end: address + CHILD_WORDS}];
  let count = 0;
  for (let depth = 0; depth >= 0;) {
    const level = levels[depth] ?? newLevel();
    if (level.next === level.end) {
      leave(level, count);
      depth--;
      continue;
    }
    const child = readChild(words, halves, level);
    const type = child.visible ? typeOf(halves, grammar, child.symbol) : HIDDEN;
    const isRow = type === ERROR_TYPE || named[type] === 1;
    if (!isRow && type !== HIDDEN) continue;
    if (child.node !== 0) enter(words, grammar, {levels, depth: ++depth, child, row: isRow ? count : level.row, isRow});
    if (isRow) write(type, child, {parent: level.row, row: count++});
  }
  return rowsOf(store, count);
}

/** Instead of a type: the node is not seen, but what is in it. */
const HIDDEN = -1;

function typeOf(halves: Uint16Array, {publicSymbols}: GrammarTables, symbol: number): number {
  return symbol === ERROR_TYPE ? symbol : (halves[publicSymbols + symbol] ?? 0);
}

/** Kept between texts and grown when needed; a text gets a copy of what it fills. */
let store = roomFor(1 << 14);

/** Offsets in words of 32 bits, or as the name says. */
const TREE = {language: 2};
const CHILD_WORDS = 2;
const NODE = {padding: 1, size: 4, childCount: 9, symbol: 10, flags: 11, visibleChildren: 12, production: 16};
const LANGUAGE = {fieldCount: 8, aliasLength: 9, fieldSlices: 16, fieldEntries: 17, publicSymbols: 19, aliases: 21};

/** Where a grammar keeps its tables: in halves or words, as the names of the heaps. */
interface GrammarTables {
  readonly publicSymbols: number;
  readonly aliases: number;
  readonly aliasLength: number;
  /** 0 where it has no fields. */
  readonly fieldSlices: number;
  readonly fieldEntries: number;
}

function grammarAt(words: Uint32Array, at: number): GrammarTables {
  const word = (offset: number): number => words[at + offset] ?? 0;
  return {
    publicSymbols: word(LANGUAGE.publicSymbols) >>> 1,
    aliases: word(LANGUAGE.aliases) >>> 1,
    aliasLength: word(LANGUAGE.aliasLength) & 0xff_ff,
    fieldSlices: word(LANGUAGE.fieldCount) === 0 ? 0 : word(LANGUAGE.fieldSlices) >>> 2,
    fieldEntries: word(LANGUAGE.fieldEntries) >>> 2,
  };
}

/** The children of one node, as far as they have been looked at. */
interface Level {
  next: number;
  end: number;
  /** The end of the last child, in bytes. */
  position: number;
  /** How many children before the next one are no extras (comments): aliases and fields count those. */
  structural: number;
  /** 0 for none. */
  aliases: number;
  fields: number;
  fieldsEnd: number;
  /** What a child without a field of its own inherits, where the node itself is not seen. */
  field: number;
  /** The row that the children are in, and whether it is that of this node. */
  row: number;
  opened: boolean;
}

function newLevel(): Level {
  return {next: 0, end: 0, position: 0, structural: 0, aliases: 0, fields: 0, fieldsEnd: 0, field: 0, row: -1, opened: false};
}

interface Child {
  /** Where it is kept, in words; 0 when nothing in it can be seen. */
  node: number;
  /** What it is called in its place. */
  symbol: number;
  visible: boolean;
  extra: boolean;
  field: number;
  start: number;
  end: number;
  padding: number;
}

/** The one that is looked at: an object for each would cost more than all the rest. */
const now: Child = {node: 0, symbol: 0, visible: false, extra: false, field: 0, start: 0, end: 0, padding: 0};

/** The next child of a level, in its place: with the name and the field that its parent gives it. */
function readChild(words: Uint32Array, halves: Uint16Array, level: Level): Child {
  const head = words[level.next] ?? 0;
  if ((head & 1) === 1) readInline(head, words[level.next + 1] ?? 0);
  else readNode(words, head >>> 2);
  now.start = level.position + now.padding;
  now.end += now.start;
  level.position = now.end;
  level.next += CHILD_WORDS;
  now.field = 0;
  if (now.extra) return now;
  now.field = fieldAt(words, level);
  const alias = level.aliases === 0 ? 0 : (halves[level.aliases + level.structural] ?? 0);
  if (alias !== 0) {
    now.symbol = alias;
    now.visible = true;
  }
  level.structural++;
  return now;
}

/** A small leaf is kept in the list of its parent. Its end is not known here, but its size. */
function readInline(head: number, sizes: number): void {
  now.node = 0;
  now.visible = (head & 2) !== 0;
  now.extra = (head & 8) !== 0;
  now.symbol = (head >>> 8) & 0xff;
  now.padding = (sizes >>> 16) & 0xff;
  now.end = sizes >>> 24;
}

function readNode(words: Uint32Array, node: number): void {
  const flags = words[node + NODE.flags] ?? 0;
  const isInner = words[node + NODE.childCount] !== 0 && words[node + NODE.visibleChildren] !== 0;
  now.node = isInner ? node : 0;
  now.visible = (flags & 1) !== 0;
  now.extra = (flags & 4) !== 0;
  now.symbol = (words[node + NODE.symbol] ?? 0) & 0xff_ff;
  now.padding = words[node + NODE.padding] ?? 0;
  now.end = words[node + NODE.size] ?? 0;
}

function fieldAt(words: Uint32Array, level: Level): number {
  for (let at = level.fields; at < level.fieldsEnd; at++) {
    const entry = words[at] ?? 0;
    // Those that are inherited are those of hidden children, which have them, too.
    if (entry >>> 24 === 0 && ((entry >>> 16) & 0xff) === level.structural) return entry & 0xff_ff;
  }
  return level.field;
}

interface Entered {
  readonly levels: Level[];
  readonly depth: number;
  readonly child: Child;
  /** The row that its children are in. */
  readonly row: number;
  /** It is that row itself. */
  readonly isRow: boolean;
}

function enter(words: Uint32Array, grammar: GrammarTables, {levels, depth, child, row, isRow}: Entered): void {
  const level = (levels[depth] ??= newLevel());
  const childCount = words[child.node + NODE.childCount] ?? 0;
  const production = (words[child.node + NODE.production] ?? 0) >>> 16;
  const slice = grammar.fieldSlices === 0 ? 0 : (words[grammar.fieldSlices + production] ?? 0);
  level.next = child.node - childCount * CHILD_WORDS;
  level.end = child.node;
  level.position = child.start - child.padding; // the first child has the same before it
  level.structural = 0;
  level.aliases = production === 0 ? 0 : grammar.aliases + production * grammar.aliasLength;
  level.fields = grammar.fieldEntries + (slice & 0xff_ff);
  level.fieldsEnd = level.fields + (slice >>> 16);
  level.field = isRow ? 0 : child.field;
  level.row = row;
  level.opened = isRow;
}

function leave({opened, row}: Level, after: number): void {
  if (opened) store.after[row] = after;
}

interface Place {
  readonly parent: number;
  readonly row: number;
}

function write(type: number, {field, start, end}: Child, {parent, row}: Place): void {
  if (row === store.type.length) store = larger(store);
  store.type[row] = type;
  store.field[row] = field;
  // Bytes of UTF-16.
  store.start[row] = start >>> 1;
  store.end[row] = end >>> 1;
  store.parent[row] = parent;
  store.after[row] = row + 1;
}
