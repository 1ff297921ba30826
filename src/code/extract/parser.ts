import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type * as TreeSitter from 'web-tree-sitter';
import type {Language, Parser, Tree} from 'web-tree-sitter';
import {FettleError} from '../../base/errors.ts';
import {ERROR_TYPE} from './syntax.ts';
import type {Grammar, Syntax} from './syntax.ts';

/** A grammar that is loaded; `parse` gives undefined when the text took longer than its limit. */
export interface TextParser {
  readonly grammar: Grammar;
  parse(text: string): Syntax | undefined;
}

/** The parser looks at its deadline now and then; a text that takes longer is given up. Milliseconds. */
const LONGEST_PARSE = 5000;

const loaded = new Map<string, Promise<TextParser>>();
let engine: Promise<Engine> | undefined;

/**
 * Loads a grammar once for each process and name (`typescript`). Errors: UNAVAILABLE, when it is not shipped or cannot be loaded.
 */
export function openParser(grammar: string): Promise<TextParser> {
  let parser = loaded.get(grammar);
  if (parser === undefined) {
    parser = load(grammar);
    loaded.set(grammar, parser);
  }
  return parser;
}

interface Engine {
  readonly module: Pick<typeof TreeSitter, 'Parser' | 'Language'>;
  readonly calls: Calls;
}

/**
 * What the engine's own cursor calls. Called directly, they leave the cursor where it lies in the engine's memory; the cursor class copies it
 * out and in at every step, which costs more than the steps themselves.
 */
interface Calls {
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
}

async function load(grammar: string): Promise<TextParser> {
  try {
    engine ??= start();
    const {module, calls} = await engine;
    const language = await module.Language.load(await readFile(fileOf(`tree-sitter-${grammar}.wasm`, `tree-sitter-wasm/${grammar}`)));
    const parser = new module.Parser();
    parser.setLanguage(language);
    return textParser({parser, language, calls});
  } catch (cause) {
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `The grammar "${grammar}" could not be loaded.`,
      hint: 'Install Fettle again; its package carries the grammars.',
      cause,
    });
  }
}

async function start(): Promise<Engine> {
  const module = await import('web-tree-sitter');
  const wasmBinary = await readFile(fileOf('web-tree-sitter.wasm', 'web-tree-sitter'));
  // The engine puts its functions on the object that it is given.
  const calls: Partial<Calls> = {};
  await module.Parser.init(Object.assign(calls, {wasmBinary}) as object);
  return {module, calls: calls as Calls};
}

/** Beside the bundle, or in the packages when the sources run as they are. */
function fileOf(file: string, inPackage: string): string {
  const shipped = [join(import.meta.dirname, 'grammars', file), join(import.meta.dirname, '../grammars', file)];
  const found = shipped.find((path) => existsSync(path));
  return found ?? createRequire(import.meta.url).resolve(`${inPackage}/${file}`);
}

interface Loaded {
  readonly parser: Parser;
  readonly language: Language;
  readonly calls: Calls;
}

function textParser({parser, language, calls}: Loaded): TextParser {
  const grammar = {types: language.types.map(interned), fields: language.fields.map((name) => interned(name ?? ''))};
  const named = Uint8Array.from(language.types, (_, id) => (language.nodeTypeIsNamed(id) ? 1 : 0));
  return {
    grammar,
    parse(text) {
      const deadline = performance.now() + LONGEST_PARSE;
      const tree = parser.parse((at) => text.slice(at, at + CHUNK), null, {progressCallback: () => performance.now() > deadline});
      if (tree === null) {
        parser.reset();
        return undefined;
      }
      try {
        return {text, grammar, ...columns({tree, calls, named}), broken: tree.rootNode.hasError};
      } finally {
        tree.delete();
      }
    },
  };
}

/** What the engine takes from the text at once, in UTF-16 units: it has a fixed buffer of 10 KB. */
const CHUNK = 5000;

/** One object for equal names: comparing them then compares addresses. */
function interned(name: string): string {
  return Object.keys({[name]: 0})[0] ?? name;
}

interface Walk {
  readonly tree: Tree;
  readonly calls: Calls;
  /** By type: 1 for those with a name, which alone are kept. */
  readonly named: Uint8Array;
}

type Columns = Pick<Syntax, 'count' | 'type' | 'field' | 'start' | 'end' | 'parent' | 'after'>;

/** Kept between texts and grown when needed; a text gets a copy of what it fills. */
let store = room(1 << 14);

function columns({tree, calls, named}: Walk): Columns {
  const cursor = tree.walk();
  // Asking anything puts the new cursor into the engine's memory, where the calls below move it.
  const at = addressOf(tree, cursor.nodeTypeId);
  let count = 0;
  let parent = -1;
  const parents: number[] = [];
  for (;;) {
    const type = calls._ts_tree_cursor_current_node_type_id_wasm(at);
    let descended = false;
    if (type === ERROR_TYPE || named[type] === 1) {
      if (count === store.type.length) store = larger(store);
      const node = count++;
      store.type[node] = type;
      store.field[node] = calls._ts_tree_cursor_current_field_id_wasm(at);
      store.start[node] = calls._ts_tree_cursor_start_index_wasm(at);
      store.end[node] = calls._ts_tree_cursor_end_index_wasm(at);
      store.parent[node] = parent;
      if (calls._ts_tree_cursor_goto_first_child_wasm(at) === 1) {
        parents.push(parent);
        parent = node;
        descended = true;
      } else store.after[node] = count;
    }
    if (descended) continue;
    while (calls._ts_tree_cursor_goto_next_sibling_wasm(at) !== 1) {
      if (calls._ts_tree_cursor_goto_parent_wasm(at) !== 1) {
        cursor.delete();
        return cut(store, count);
      }
      store.after[parent] = count;
      parent = parents.pop() ?? -1;
    }
  }
}

/** The address of the tree in the engine's memory: what every call needs, and what the declarations do not show. */
function addressOf(tree: Tree, _placed: number): number {
  return (tree as unknown as Readonly<Record<number, number>>)[0] ?? 0;
}

function room(size: number): Columns {
  const numbers = (): Int32Array => new Int32Array(size);
  return {
    count: 0,
    type: new Uint16Array(size),
    field: new Uint8Array(size),
    start: numbers(),
    end: numbers(),
    parent: numbers(),
    after: numbers(),
  };
}

function larger(old: Columns): Columns {
  const next = room(old.type.length * 2);
  for (const key of ['type', 'field', 'start', 'end', 'parent', 'after'] as const) next[key].set(old[key]);
  return next;
}

function cut(full: Columns, count: number): Columns {
  return {
    count,
    type: full.type.slice(0, count),
    field: full.field.slice(0, count),
    start: full.start.slice(0, count),
    end: full.end.slice(0, count),
    parent: full.parent.slice(0, count),
    after: full.after.slice(0, count),
  };
}
