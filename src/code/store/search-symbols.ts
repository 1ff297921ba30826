import type {DatabaseSync, StatementSync} from 'node:sqlite';
import type {FoundSymbols, SymbolQuery} from '../code-graph.ts';
import {SYMBOL_KINDS} from '../symbol.ts';
import {codeSymbol} from './code-symbol.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {initialsOf} from './humps.ts';
import {nameScore} from './name-score.ts';
import {fileOf, inFileOf} from './symbol-number.ts';

/** Finds symbols by what a person remembers of their names; best first, then by rank (`symbol-ranks.ts`). */
export function createSymbolSearch(database: DatabaseSync, reader: FactsReader): (query: SymbolQuery) => FoundSymbols {
  const candidates = createCandidates(database);
  const rows = database.prepare('SELECT symbol, rank, kind FROM named WHERE name = ? ORDER BY rank, symbol LIMIT ?');
  return (query) => {
    const {scope, name} = splitQuery(query.text);
    const names = candidates(name, query.limit).sort((a, b) => b.score - a.score || a.text.length - b.text.length);
    const kind = query.kind === undefined ? -1 : SYMBOL_KINDS.indexOf(query.kind);
    const isNarrow = query.path !== undefined || kind >= 0 || scope !== '';
    const found: FoundSymbols['symbols'][number][] = [];
    for (let at = 0; at < names.length && found.length <= query.limit;) {
      const score = names[at]?.score ?? 0;
      const same = names.slice(at).filter((one) => one.score === score);
      at += same.length;
      const symbols = same
        .flatMap(({id}) => rows.all(id, isNarrow ? MOST_OF_A_NAME : query.limit + 1))
        .filter((row) => kind < 0 || row['kind'] === kind)
        .sort((a, b) => Number(a['rank']) - Number(b['rank']) || Number(a['symbol']) - Number(b['symbol']));
      for (let next = 0; next < symbols.length && found.length <= query.limit; next++) {
        const place = fitting(reader, Number(symbols[next]?.['symbol']), {path: query.path, scope});
        if (place !== undefined) found.push({symbol: codeSymbol(place.file, place.index), score: Math.round(score * 1000) / 1000});
      }
    }
    return {symbols: found.slice(0, query.limit), truncated: found.length > query.limit};
  };
}

/** Symbols of one name that are looked through where only some of them are wanted. */
const MOST_OF_A_NAME = 20_000;

/** `Server.start`, `Server::start`, `Server#start`: a name, and what it stands in. */
function splitQuery(text: string): {scope: string; name: string} {
  const parts = text
    .trim()
    .split(/::|[.#/\\]/)
    .filter((part) => part !== '');
  return {scope: parts.slice(0, -1).join('.').toLowerCase(), name: parts.at(-1) ?? ''};
}

function isInScope(qualified: string, scope: string): boolean {
  if (scope === '') return true;
  const around = `.${qualified.toLowerCase().split('.').slice(0, -1).join('.')}`;
  return around.endsWith(`.${scope}`);
}

interface Wanted {
  readonly path: string | undefined;
  readonly scope: string;
}

function fitting(reader: FactsReader, number: number, {path, scope}: Wanted): {file: StoredFile; index: number} | undefined {
  const file = reader.get(fileOf(number));
  if (file === undefined || (path !== undefined && path !== '' && file.path !== path && !file.path.startsWith(`${path}/`)))
    return undefined;
  const index = file.indexOf(inFileOf(number));
  return isInScope(file.qualified[index] ?? '', scope) ? {file, index} : undefined;
}

interface Candidate {
  readonly id: number;
  readonly text: string;
  readonly score: number;
}

/** Names of each kind of fit that are looked at. */
const MOST_NAMES = 400;

/** A few names that may fit, each found by an index; how well they do is decided on the names themselves. */
function createCandidates(database: DatabaseSync): (asked: string, limit: number) => Candidate[] {
  const all = (where: string): StatementSync => database.prepare(`SELECT id, text FROM name WHERE ${where} LIMIT ${MOST_NAMES}`);
  const exact = all('substr(folded, 1, 3) = substr(?1, 1, 3) AND length(folded) = length(?1) AND folded = ?1');
  const start = all(
    'substr(folded, 1, 3) = substr(?1, 1, 3) AND length(folded) > length(?1) AND substr(folded, 1, length(?1)) = ?1 ORDER BY length(folded)',
  );
  const short = all('substr(folded, 1, 3) >= ?1 AND substr(folded, 1, 3) < ?2');
  const initials = all('initials >= ?1 AND initials < ?2 ORDER BY initials, length(folded)');
  const parts = database.prepare(
    `SELECT id, text FROM name WHERE id IN (SELECT rowid FROM name_parts WHERE name_parts MATCH ? LIMIT ${MOST_NAMES})`,
  );
  const similar = all('substr(folded, 1, 3) = substr(?1, 1, 3) AND length(folded) BETWEEN length(?1) - 2 AND length(?1) + 2');
  return (asked, limit) => {
    const low = asked.toLowerCase();
    const found = new Map<number, Candidate>();
    const add = (statement: StatementSync, ...parameters: string[]): void => {
      for (const row of statement.all(...parameters)) {
        const [id, text] = [Number(row['id']), String(row['text'])];
        const score = found.has(id) ? 0 : nameScore(text, asked);
        if (score > 0) found.set(id, {id, text, score});
      }
    };
    if (low === '') return [];
    add(exact, low);
    if (low.length >= 3) add(start, low);
    else add(short, low, `${low}\u{10FFFF}`);
    for (const first of new Set([initialsOf(asked), low])) add(initials, first, `${first}\u{10FFFF}`);
    if (low.length >= 3 && found.size <= limit) add(parts, trigrams(low).map(quoted).join(' AND '));
    if (low.length < 3 || found.size > 0) return [...found.values()];
    add(similar, low);
    for (const piece of pieces(low)) add(parts, trigrams(piece).map(quoted).join(' AND '));
    return [...found.values()];
  };
}

/** What stays whole when there are one or two errors: one of two halves, or of three thirds. */
function pieces(text: string): string[] {
  const cut = (count: number): string[] =>
    Array.from({length: count}, (_, at) =>
      text.slice(Math.floor((at * text.length) / count), Math.floor(((at + 1) * text.length) / count)),
    );
  return [...cut(2), ...cut(3)].filter((piece) => Array.from(piece).length >= 3);
}

function trigrams(text: string): string[] {
  const letters = Array.from(text); // code points, as SQLite counts
  return letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
