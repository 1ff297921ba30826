import type {DatabaseSync, StatementSync} from 'node:sqlite';
import type {UseFact} from '../file-facts.ts';
import {unpackEdges} from './pack-edges.ts';
import {unpackLinks, type FileLinks} from './pack-links.ts';
import {unpackDetails, unpackTable, type SymbolDetail, type SymbolTable} from './pack-symbols.ts';
import {unpackUses} from './pack-uses.ts';
import {qualifiedNames, symbolKeys} from './symbol-keys.ts';

/** One file of the index. Its parts are read and unpacked when they are asked for. */
export interface StoredFile {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly version: number;
  readonly table: SymbolTable;
  readonly links: FileLinks;
  readonly details: readonly SymbolDetail[];
  /** Unpacked each time: they are many, and looked at once. */
  readonly uses: readonly UseFact[];
  /** As `packEdges` has it; empty where nothing was resolved yet. */
  readonly edges: Float64Array;
  /** As `Resolution.more`. */
  readonly more: Float64Array;
  /** `Server.start` and `path::Server.start#method`, by index. */
  readonly qualified: readonly string[];
  readonly keys: readonly string[];
  /** The number of the symbol at this index, and the other way round (-1: none). */
  numberAt(index: number): number;
  indexOf(inFile: number): number;
  /** Indexes of the symbols in another (-1: at the top, `OUTSIDE`: at the top and belonging to a type) by name. */
  named(parent: number, name: string): readonly number[];
  /** Indexes of all that are in another. */
  within(parent: number): readonly number[];
}

/** Reads files of the index; those read last are kept, as long as they are what is stored. */
export class FactsReader {
  private readonly kept = new Map<number, Kept>();
  private weight = 0;
  private readonly byPath: StatementSync;
  private readonly byId: StatementSync;
  private readonly parts: (part: Part, id: number) => Uint8Array;

  constructor(database: DatabaseSync) {
    this.byPath = database.prepare('SELECT id, path, language, version, symbols FROM file WHERE path = ?');
    this.byId = database.prepare('SELECT id, path, language, version, symbols FROM file WHERE id = ?');
    const statements = Object.fromEntries(
      PARTS.map((part) => [part, database.prepare(`SELECT ${part} AS bytes FROM ${tableOf(part)} WHERE file = ?`)]),
    );
    this.parts = (part, id) => {
      const bytes = statements[part]?.get(id)?.['bytes'];
      return bytes instanceof Uint8Array ? bytes : EMPTY;
    };
  }

  at(path: string): StoredFile | undefined {
    return this.open(this.byPath.get(path));
  }

  get(id: number): StoredFile | undefined {
    return this.open(this.byId.get(id));
  }

  /** For those who know that nothing changes meanwhile: a file that is kept is taken as it is. */
  getKept(id: number): StoredFile | undefined {
    const known = this.kept.get(id);
    if (known === undefined) return this.get(id);
    known.again = true;
    return known.file;
  }

  private open(row: Record<string, unknown> | undefined): StoredFile | undefined {
    if (row === undefined) return undefined;
    const head = {id: Number(row['id']), path: String(row['path']), language: String(row['language']), version: Number(row['version'])};
    const known = this.kept.get(head.id);
    if (known?.file.version === head.version && known.file.path === head.path) return known.file;
    const weight = Number(row['symbols']) + 20;
    const file = lazily(head, (part) => this.parts(part, head.id));
    this.weight += weight - (known?.weight ?? 0);
    this.kept.delete(head.id);
    this.kept.set(head.id, {file, weight, again: false});
    this.shed();
    return file;
  }

  /** What was asked for again since it came stays for another round. */
  private shed(): void {
    for (const [id, kept] of this.kept) {
      if (this.weight <= MOST_SYMBOLS) return;
      this.kept.delete(id);
      if (kept.again) this.kept.set(id, {...kept, again: false});
      else this.weight -= kept.weight;
    }
  }
}

interface Kept {
  readonly file: StoredFile;
  readonly weight: number;
  again: boolean;
}

/** Of the files that are kept unpacked; about 200 bytes each. */
const MOST_SYMBOLS = 40_000;
const EMPTY = new Uint8Array(4);
const PARTS = ['core', 'links', 'numbers', 'detail', 'edges', 'more', 'uses'] as const;
type Part = (typeof PARTS)[number];

/** What a file says by itself, and what others make of it. */
function tableOf(part: Part): string {
  return part === 'edges' || part === 'more' ? 'meaning' : 'facts';
}

type Head = Pick<StoredFile, 'id' | 'path' | 'language' | 'version'>;

function lazily(head: Head, read: (part: Part) => Uint8Array): StoredFile {
  const table = once(() => unpackTable(read('core')));
  const links = once(() => unpackLinks(read('links')));
  const details = once(() => unpackDetails(read('detail')));
  const edges = once(() => unpackEdges(read('edges')));
  const more = once(() => unpackEdges(read('more')));
  const qualified = once(() => qualifiedNames(table()));
  const keys = once(() => symbolKeys(table(), qualified()));
  const numbers = once(() => unpackNumbers(read('numbers')));
  const indexes = once(() => new Map(Array.from(numbers() ?? [], (number, index) => [number, index])));
  const children = once(() => childrenOf(table()));
  return {
    ...head,
    get table() {
      return table();
    },
    get links() {
      return links();
    },
    get details() {
      return details();
    },
    get uses() {
      return unpackUses(read('uses'));
    },
    get edges() {
      return edges();
    },
    get more() {
      return more();
    },
    get qualified() {
      return qualified();
    },
    get keys() {
      return keys();
    },
    numberAt: (index) => numbers()?.[index] ?? index,
    indexOf: (inFile) => (numbers() === undefined ? (inFile < table().names.length ? inFile : -1) : (indexes().get(inFile) ?? -1)),
    named: (parent, name) => children().get(parent)?.get(name) ?? [],
    within: (parent) => [...(children().get(parent)?.values() ?? [])].flat().sort((a, b) => a - b),
  };
}

/** Absent: every symbol has its index as number. */
function unpackNumbers(bytes: Uint8Array): Uint32Array | undefined {
  return bytes === EMPTY ? undefined : new Uint32Array(bytes.slice().buffer);
}

/** Instead of the parent of a symbol that belongs to a type though it stands outside of it. */
export const OUTSIDE = -2;

function childrenOf({names, parents, owners}: SymbolTable): Map<number, Map<string, number[]>> {
  const children = new Map<number, Map<string, number[]>>();
  for (const [index, name] of names.entries()) {
    const parent = owners[index] === undefined ? (parents[index] ?? -1) : OUTSIDE;
    const own = children.get(parent) ?? new Map<string, number[]>();
    children.set(parent, own);
    const same = own.get(name);
    if (same === undefined) own.set(name, [index]);
    else same.push(index);
  }
  return children;
}

function once<T>(make: () => T): () => T {
  let made: {readonly value: T} | undefined;
  return () => (made ??= {value: make()}).value;
}
