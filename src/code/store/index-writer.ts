import type {DatabaseSync, StatementSync} from 'node:sqlite';
import {BROKEN, GOOD, isBetterKept, LAST_GOOD} from './broken-file.ts';
import {FactsReader, type StoredFile} from './facts-reader.ts';
import {initialsOf} from './humps.ts';
import {fileKey, providedKeys} from './needs.ts';
import {packEdges, unpackEdges} from './pack-edges.ts';
import {unpackTable, type SymbolTable} from './pack-symbols.ts';
import {NAMELESS, type FileStamp, type ParsedFile} from './parsed-file.ts';
import {symbolKeys} from './symbol-keys.ts';
import {symbolRanks} from './symbol-ranks.ts';
import {fileOf, ITSELF, symbolNumber, SYMBOLS_IN_FILE} from './symbol-number.ts';

/** What the names of one file mean. */
export interface Resolution {
  readonly file: number;
  /** For each use, import and export the number of a symbol, or 0; `ITSELF` for a key that declares itself. */
  readonly targets: Float64Array;
  /** Further symbols that a use may mean as well: its place in `targets`, the symbol, and so on, in this order. */
  readonly more: Float64Array;
  /** Keys (`needs.ts`) of the names that mean nothing known. */
  readonly open: readonly number[];
  /** Keys (`needs.ts`) of what was looked at: when it changes, the file has to be resolved again. */
  readonly needs: readonly number[];
}

/**
 * The one writer of an index. Each method is part of a transaction of its caller. A file whose edges may no longer hold is marked as open in the
 * same transaction as the reason: whoever goes on after a crash resolves what is open.
 */
export class IndexWriter {
  private readonly database: DatabaseSync;
  private readonly reader: FactsReader;
  private readonly statements: Statements;
  private readonly names = new Map<string, number>();
  private hasDependents: boolean;
  /** Never the same twice, also not in another database: files that are kept in memory are known by it. */
  private version = Date.now() * 1000;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.reader = new FactsReader(database);
    this.statements = prepareAll(database);
    this.hasDependents = database.prepare('SELECT 1 FROM dependent LIMIT 1').get() !== undefined;
  }

  transaction(work: () => void): void {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.database.exec('COMMIT');
    } catch (thrown) {
      this.database.exec('ROLLBACK');
      throw thrown;
    }
  }

  storeFile(parsed: ParsedFile): void {
    const before = this.reader.at(parsed.path);
    if (before === undefined) {
      this.openDependents(providedKeys(parsed.path, parsed.names, undefined));
      this.putFile(parsed, undefined);
    } else if (isBetterKept(before, parsed, this.brokenState(before.id))) {
      this.statements.keepFile.run(parsed.hash, parsed.size, parsed.mtime, before.id);
    } else {
      const isSame = this.interfaceOf(before.id) === parsed.interface;
      if (!isSame) this.openDependents(providedKeys(parsed.path, [...parsed.names, ...before.table.names], before));
      const numbers = keepNumbers(before, unpackTable(parsed.core));
      this.dropNames(before);
      this.putFile(parsed, numbers);
    }
  }

  /** The content is as before; only its time is another. */
  touchFile({path, hash, size, mtime}: FileStamp): void {
    this.statements.touchFile.run(size, mtime, path, hash);
  }

  skipFile(path: string, why: string, {size, mtime}: Pick<FileStamp, 'size' | 'mtime'>): void {
    this.removeFile(path);
    this.statements.skip.run(path, why, size, mtime);
  }

  removeFile(path: string): void {
    this.statements.unskip.run(path);
    const before = this.reader.at(path);
    if (before === undefined) return;
    this.openDependents(providedKeys(path, before.table.names, before));
    this.dropNames(before);
    this.dropEdges(before.id);
    const {dropFile, dropFacts, dropMeaning, dropTargets, dropKey} = this.statements;
    dropTargets.run(symbolNumber(before.id, 0), symbolNumber(before.id, SYMBOLS_IN_FILE - 1));
    dropKey.run(fileKey(before.id));
    dropFacts.run(before.id);
    dropMeaning.run(before.id);
    dropFile.run(before.id);
  }

  storeEdges({file, targets, more, open, needs}: Resolution): void {
    const {putEdges, putIncoming, putDependent, settle} = this.statements;
    this.dropEdges(file);
    putEdges.run(file, packEdges(targets), more.length === 0 ? null : packEdges(more), packEdges(needs), packEdges(open));
    for (const key of open) this.statements.putOpenUse.run(key, file);
    const meant = new Set(targets);
    for (const target of secondOf(more)) meant.add(target);
    for (const target of meant) if (target > ITSELF && fileOf(target) !== file) putIncoming.run(target, file);
    for (const key of needs) putDependent.run(key, file);
    if (needs.length > 0) this.hasDependents = true;
    settle.run(this.version++, file);
  }

  /** Everything has to be resolved again: what decides where imports lead (`tsconfig.json`, `go.mod` …) has changed. */
  openAll(): void {
    this.database.exec('UPDATE file SET resolved = 0');
  }

  openFiles(): number[] {
    return this.statements.openFiles.all().map((row) => Number(row['id']));
  }

  /** New names can be found by their parts from now on. */
  indexNames(): void {
    const from = Number(this.meta('names') ?? 0);
    const to = Number(this.database.prepare('SELECT max(id) AS id FROM name').get()?.['id'] ?? 0);
    if (to <= from) return;
    this.database.prepare('INSERT INTO name_parts(rowid, folded) SELECT id, folded FROM name WHERE id > ? AND id <= ?').run(from, to);
    this.setMeta('names', to);
  }

  meta(key: string): unknown {
    return this.statements.getMeta.get(key)?.['value'];
  }

  setMeta(key: string, value: string | number): void {
    this.statements.putMeta.run(key, value);
  }

  private brokenState(id: number): number {
    return Number(this.statements.getBroken.get(id)?.['broken'] ?? 0);
  }

  private interfaceOf(id: number): string {
    return String(this.statements.getInterface.get(id)?.['interface'] ?? '');
  }

  private openDependents(keys: Iterable<number>): void {
    if (this.hasDependents) for (const key of keys) this.statements.openDependents.run(key);
  }

  private putFile(parsed: ParsedFile, numbers: Uint32Array | undefined): void {
    const {path, language, broken, hash, size, mtime, symbols, relations} = parsed;
    const state = broken ? BROKEN : GOOD;
    const row = this.statements.putFile.get(path, language, state, hash, size, mtime, this.version++, symbols, relations, parsed.interface);
    const id = Number(row?.['id']);
    const kept = numbers === undefined ? null : new Uint8Array(numbers.buffer);
    this.statements.putFacts.run(id, parsed.core, parsed.links, kept, parsed.detail, parsed.uses);
    this.putNames(id, parsed, numbers);
    this.statements.unskip.run(path);
  }

  private putNames(id: number, {names, nameAt, kinds, ranks}: ParsedFile, numbers: Uint32Array | undefined): void {
    const ids = names.map((name) => this.nameId(name));
    for (let at = 0; at < nameAt.length; at++) {
      if (nameAt[at] === NAMELESS) continue;
      const number = symbolNumber(id, numbers?.[at] ?? at);
      this.statements.putNamed.run(ids[nameAt[at] ?? 0] ?? 0, ranks[at] ?? 0, number, kinds[at] ?? 0);
    }
  }

  private dropNames({id, path, table, numberAt}: StoredFile): void {
    const ranks = symbolRanks(path, table.parents, (index) => table.exported[index] === true);
    for (const [at, name] of table.names.entries())
      this.statements.dropNamed.run(this.nameId(name), ranks[at] ?? 0, symbolNumber(id, numberAt(at)));
  }

  private nameId(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    if (this.names.size >= MOST_NAMES) this.names.clear();
    const {getName, putName} = this.statements;
    const id = Number(getName.get(name)?.['id'] ?? putName.run(name, name.toLowerCase(), initialsOf(name)).lastInsertRowid);
    this.names.set(name, id);
    return id;
  }

  private dropEdges(file: number): void {
    const row = this.statements.getEdges.get(file);
    const packed = (column: string): Float64Array => {
      const bytes = row?.[column];
      return bytes instanceof Uint8Array ? unpackEdges(bytes) : new Float64Array();
    };
    for (const target of new Set(packed('edges'))) this.statements.dropIncoming.run(target, file);
    for (const target of secondOf(packed('more'))) this.statements.dropIncoming.run(target, file);
    for (const key of packed('needs')) this.statements.dropDependent.run(key, file);
    for (const key of packed('open')) this.statements.dropOpenUse.run(key, file);
  }
}

/** Every second of a list of pairs. */
function secondOf(pairs: Float64Array): Float64Array {
  return pairs.filter((_, at) => at % 2 === 1);
}

/** About 60 bytes each. */
const MOST_NAMES = 300_000;

/** A symbol that was there before keeps its number; others get numbers that were never given away. Undefined: all have their index. */
function keepNumbers(before: StoredFile, table: SymbolTable): Uint32Array | undefined {
  const known = new Map(before.keys.map((key, index) => [key, before.numberAt(index)]));
  let next = Math.max(-1, ...known.values()) + 1;
  const numbers = Uint32Array.from(symbolKeys(table), (key) => known.get(key) ?? next++);
  return numbers.every((number, index) => number === index) ? undefined : numbers;
}

type Statements = ReturnType<typeof prepareAll>;

function prepareAll(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    putFile: prepare(
      `INSERT INTO file(path, language, broken, hash, size, mtime, version, resolved, symbols, relations, interface)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)
       ON CONFLICT(path) DO UPDATE SET language = excluded.language, broken = excluded.broken, hash = excluded.hash, size = excluded.size,
         mtime = excluded.mtime, version = excluded.version, resolved = 0, symbols = excluded.symbols, relations = excluded.relations,
         interface = excluded.interface
       RETURNING id`,
    ),
    putFacts: prepare(
      `INSERT INTO facts(file, core, links, numbers, detail, uses) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT(file) DO UPDATE SET core = excluded.core, links = excluded.links, numbers = excluded.numbers,
         detail = excluded.detail, uses = excluded.uses`,
    ),
    keepFile: prepare(`UPDATE file SET broken = ${LAST_GOOD}, hash = ?, size = ?, mtime = ? WHERE id = ?`),
    touchFile: prepare('UPDATE file SET size = ?, mtime = ? WHERE path = ? AND hash = ?'),
    skip: prepare('INSERT OR REPLACE INTO skipped(path, why, size, mtime) VALUES (?, ?, ?, ?)'),
    unskip: prepare('DELETE FROM skipped WHERE path = ?'),
    dropFile: prepare('DELETE FROM file WHERE id = ?'),
    dropFacts: prepare('DELETE FROM facts WHERE file = ?'),
    dropMeaning: prepare('DELETE FROM meaning WHERE file = ?'),
    dropTargets: prepare('DELETE FROM incoming WHERE target BETWEEN ? AND ?'),
    dropKey: prepare('DELETE FROM dependent WHERE key = ?'),
    openDependents: prepare('UPDATE file SET resolved = 0 WHERE id IN (SELECT file FROM dependent WHERE key = ?)'),
    getBroken: prepare('SELECT broken FROM file WHERE id = ?'),
    getInterface: prepare('SELECT interface FROM file WHERE id = ?'),
    getName: prepare('SELECT id FROM name WHERE text = ?'),
    putName: prepare('INSERT INTO name(text, folded, initials) VALUES (?, ?, ?)'),
    putNamed: prepare('INSERT OR REPLACE INTO named(name, rank, symbol, kind) VALUES (?, ?, ?, ?)'),
    dropNamed: prepare('DELETE FROM named WHERE name = ? AND rank = ? AND symbol = ?'),
    getEdges: prepare('SELECT edges, more, needs, open FROM meaning WHERE file = ?'),
    putEdges: prepare('INSERT OR REPLACE INTO meaning(file, edges, more, needs, open) VALUES (?, ?, ?, ?, ?)'),
    putIncoming: prepare('INSERT OR IGNORE INTO incoming(target, file) VALUES (?, ?)'),
    dropIncoming: prepare('DELETE FROM incoming WHERE target = ? AND file = ?'),
    putDependent: prepare('INSERT OR IGNORE INTO dependent(key, file) VALUES (?, ?)'),
    putOpenUse: prepare('INSERT OR IGNORE INTO open_use(key, file) VALUES (?, ?)'),
    dropOpenUse: prepare('DELETE FROM open_use WHERE key = ? AND file = ?'),
    dropDependent: prepare('DELETE FROM dependent WHERE key = ? AND file = ?'),
    settle: prepare('UPDATE file SET resolved = 1, version = ? WHERE id = ?'),
    openFiles: prepare('SELECT id FROM file WHERE resolved = 0 ORDER BY id'),
    getMeta: prepare('SELECT value FROM meta WHERE key = ?'),
    putMeta: prepare('INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)'),
  };
}
