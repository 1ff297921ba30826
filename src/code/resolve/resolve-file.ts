import {KEY, LINKED, type UseFact} from '../file-facts.ts';
import type {RelationKind} from '../relation.ts';
import type {StoredFile} from '../store/facts-reader.ts';
import type {Resolution} from '../store/index-writer.ts';
import {ITSELF, moduleNumber, symbolNumber} from '../store/symbol-number.ts';
import {asUsed} from './as-used.ts';
import {isPlace, type Lookup, type Meaning, type UnionMeaning} from './code-base.ts';
import {exportMeaning} from './exported-name.ts';
import {dotted} from './languages/packages.ts';
import {hasAnyKey} from './has-any-key.ts';
import {asValue} from './member.ts';
import {rulesOf} from './rules-of.ts';

/**
 * What each use, import and export of a file means, as numbers of symbols in this order; 0 where it is not known. Precision goes before recall:
 * what is not certain stays unresolved, with its name.
 */
export function resolveFile(lookup: Lookup, file: StoredFile): Pick<Resolution, 'targets' | 'more'> {
  const {
    links: {imports, exports},
    uses,
  } = file;
  const known = new Map<string, number | readonly number[]>();
  const targets = new Float64Array(uses.length + imports.length + exports.length);
  const more: number[] = [];
  let at = 0;
  for (const use of uses) {
    const found = useTarget(lookup, {file, use, known});
    if (typeof found !== 'number') for (const other of found.slice(1)) more.push(at, other);
    targets[at++] = typeof found === 'number' ? found : (found[0] ?? 0);
  }
  for (const fact of imports) targets[at++] = numberOf(lookup.imported(fact, file));
  for (const fact of exports) targets[at++] = fact.name === '*' ? 0 : numberOf(exportMeaning(lookup, file, fact));
  return {targets, more: Float64Array.from(more)};
}

interface Using {
  readonly file: StoredFile;
  readonly use: UseFact;
  /** The same words in the same scope mean the same. */
  readonly known: Map<string, number | readonly number[]>;
}

/** A use of what a union has means each declaration of it. */
function useTarget(lookup: Lookup, {file, use, known}: Using): number | readonly number[] {
  if (use.target >= 0) return numberOf(asUsed({file, index: use.target}, use.kind));
  const key = `${use.kind === 'call' ? '(' : ''}${use.within} ${use.receiverType ?? ''} ${use.receiver ?? ''} ${use.name}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const meaning = useMeaning(lookup, file, use);
  const found = meaning !== undefined && 'anyOf' in meaning ? numbersOf(meaning, use.kind) : numberUsed(meaning, use.kind);
  const isOwn = found === 0 && use.receiver === KEY && hasAnyKey(lookup, {file, within: use.within, name: use.receiverType ?? '?'});
  const target = isOwn ? ITSELF : found;
  known.set(key, target);
  return target;
}

function numbersOf({anyOf}: UnionMeaning, kind: RelationKind): number | readonly number[] {
  const all = [...new Set(anyOf.map((one) => numberUsed(one, kind)))].filter((number) => number !== 0);
  return all.length > 1 ? all : (all[0] ?? 0);
}

function numberUsed(meaning: Meaning | undefined, kind: RelationKind): number {
  return numberOf(isPlace(meaning) ? asUsed(meaning, kind) : meaning);
}

function useMeaning(lookup: Lookup, file: StoredFile, {name, within, receiver, receiverType}: UseFact): Meaning | undefined {
  if (isBare(receiver, receiverType)) return made(lookup.name({file, within, name}), name);
  const of =
    receiverType === undefined ? lookup.chain({file, within, name: receiver ?? '?'}) : lookup.type({file, within, name: receiverType});
  const member = of === undefined ? undefined : lookup.member(receiverType === undefined ? asValue(of) : of, name);
  return made(member, name) ?? withoutType(lookup, file, {name, receiver});
}

/** What is found though the type before the dot is not known, or does not have it. */
function withoutType(lookup: Lookup, file: StoredFile, {name, receiver}: Pick<UseFact, 'name' | 'receiver'>): Meaning | undefined {
  const {whole, extension} = rulesOf(file.language);
  const full = receiver === undefined ? undefined : whole?.({home: dotted(receiver), name}, file, lookup.base);
  return full ?? extension?.(name, file, lookup.base);
}

/** Not behind a dot; what a comment links to is no more. */
function isBare(receiver: string | undefined, receiverType: string | undefined): boolean {
  return receiver === undefined && (receiverType === undefined || receiverType === LINKED);
}

/** `Item.new` in Ruby calls what makes an item; where the class does not declare that, nothing of it is named. */
function made(meaning: Meaning | undefined, name: string): Meaning | undefined {
  if (name !== 'new' || !isPlace(meaning) || meaning.file.language !== 'ruby' || meaning.file.table.names[meaning.index] === name)
    return meaning;
  const index = meaning.file.named(meaning.index, 'initialize')[0];
  return index === undefined ? undefined : {file: meaning.file, index};
}

/** A module of several files (a package) has no number. */
function numberOf(meaning: Meaning | undefined): number {
  if (isPlace(meaning)) return symbolNumber(meaning.file.id, meaning.file.numberAt(meaning.index));
  const [module, second] = meaning !== undefined && 'modules' in meaning ? meaning.modules : [];
  return module === undefined || second !== undefined ? 0 : moduleNumber(module.id);
}
