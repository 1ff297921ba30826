import {isKey, LINKED, type ExportFact, type ImportFact, type UseFact} from '../file-facts.ts';
import type {RelationKind} from '../relation.ts';
import type {Range} from '../symbol.ts';
import type {StoredFile} from './facts-reader.ts';
import {ITSELF} from './symbol-number.ts';

/** One use, import or export of a file, with what it means. */
export interface StoredRelation {
  readonly kind: RelationKind;
  readonly name: string;
  readonly range: Range;
  /** Index of the symbol it stands in, or -1. */
  readonly within: number;
  /** Number of a symbol, or 0. */
  readonly target: number;
  /** The key of an object or of a pattern. */
  readonly isKey?: true;
  /** It stands in a comment: whatever has that name is meant. */
  readonly isLink?: true;
}

/** All of a file, in the order of its edges (`pack-edges.ts`); a use that may mean several symbols once for each, with one and the same range. */
export function* relationsOf({uses, links, edges, more}: StoredFile): Generator<StoredRelation> {
  let [at, next] = [0, 0];
  for (const use of uses) {
    yield* ofUse(use, edges[at] ?? 0);
    for (; more[next] === at; next += 2) yield* ofUse(use, more[next + 1] ?? 0);
    at++;
  }
  for (const fact of links.imports) yield* ofImport(fact, edges[at++] ?? 0);
  for (const fact of links.exports) yield* ofExport(fact, edges[at++] ?? 0);
}

function* ofImport({original, module, range, local, localRange}: ImportFact, target: number): Generator<StoredRelation> {
  yield {kind: 'import', name: original === '*' || original === '=' ? module : original, range, within: -1, target};
  if (localRange !== undefined) yield {kind: 'import', name: local ?? original, range: localRange, within: -1, target};
}

function* ofExport({original, name, range, aliasRange}: ExportFact, target: number): Generator<StoredRelation> {
  yield {kind: 'export', name: original === '' ? name : original, range, within: -1, target};
  if (aliasRange !== undefined) yield {kind: 'export', name, range: aliasRange, within: -1, target};
}

/** A key that means no member of a type is none. */
function* ofUse({kind, name, range, within, receiver, receiverType}: UseFact, target: number): Generator<StoredRelation> {
  if (receiverType === LINKED) yield {kind, name, range, within, target, isLink: true};
  else if (!isKey(receiver)) yield {kind, name, range, within, target};
  else if (target !== 0 && target !== ITSELF) yield {kind, name, range, within, target, isKey: true};
}
