import {builtinModules} from 'node:module';
import type {FileFacts, UseFact} from '../file-facts.ts';
import type {CodeSymbol, Position} from '../symbol.ts';

/**
 * Whether a use is a member of what the language has itself, or Node: of a value whose type TypeScript checks (`ids.has(1)` of a `Set`, `line.match`
 * of a text), of a module of Node (`fs.rename`). Such a use means no symbol of the code.
 */
export function isOfLanguage(start: Position, facts: FileFacts, {name, qualifiedName}: CodeSymbol): boolean {
  const use = facts.uses.find(({range}) => range.start.line === start.line && range.start.character === start.character);
  if (use === undefined) return false;
  if (isOfNode(use, facts)) return true;
  if (!CHECKED.has(facts.language)) return false;
  const type = builtIn(wordsOf(use, facts));
  const shape = type === undefined || isOwn(type, facts) ? undefined : SHAPES[type];
  // What is declared as part of such a type belongs to it.
  return shape !== undefined && name in shape && qualifiedName.split('.').at(-2) !== SPOKEN[type ?? ''];
}

/** A name that a function declares is none that is imported: its members have another receiver. */
function isOfNode({receiver}: UseFact, {imports}: FileFacts): boolean {
  const module =
    receiver === undefined ? '' : (imports.find(({local, original}) => local === receiver && WHOLE.has(original))?.module ?? '');
  return module.startsWith('node:') || builtinModules.includes(module);
}

const WHOLE: ReadonlySet<string> = new Set(['*', '=', 'default']);

/** In JavaScript a variable may get something else than it began with. */
const CHECKED: ReadonlySet<string> = new Set(['typescript', 'tsx']);

/** What the file says of the type of a receiver: itself, or by the declaration that it names. */
function wordsOf({receiver, receiverType, range: {start}}: UseFact, {symbols, uses}: FileFacts): string {
  const words = receiverType ?? '';
  const [, owner, member] = /^\(?typeof (?:\((?<owner>[\w$]+)\)\.)?(?<member>[\w$]+)\)?$/.exec(words) ?? [];
  if (member !== undefined) return typeOf(symbols, {owner, member});
  if (receiverType !== undefined) return words;
  const named = uses.find(
    ({name, range: {end}}) => name === receiver && end.line === start.line && BETWEEN.has(start.character - end.character),
  );
  const symbol = symbols[named?.target ?? -1];
  return symbol !== undefined && VALUES.has(symbol.kind) ? (symbol.typeName ?? '') : '';
}

/** `.`, `?.` */
const BETWEEN: ReadonlySet<number> = new Set([1, 2]);
const VALUES: ReadonlySet<string> = new Set(['constant', 'variable']);

function typeOf(symbols: FileFacts['symbols'], {owner, member}: {readonly owner: string | undefined; readonly member: string}): string {
  const found = symbols.filter(
    ({name, parent}) =>
      name === member && (owner === undefined ? parent < 0 : symbols[parent]?.name === owner && symbols[parent].parent < 0),
  );
  return found.length === 1 ? (found[0]?.typeName ?? '') : '';
}

/** The one type that the words name; undefined for alternatives, and what is no such type. */
function builtIn(words: string): string | undefined {
  let plain = words;
  for (let inner = ''; inner !== plain;) {
    inner = plain;
    plain = plain.replaceAll(/<[^<>]*>|\([^()]*\)/g, '');
  }
  if (/^[^|&;:]*\[\]$/.test(plain)) return 'Array';
  return Object.hasOwn(SHAPES, plain) ? plain : undefined;
}

const SHAPES: Readonly<Record<string, object | undefined>> = {
  string: String.prototype,
  number: Number.prototype,
  Array: Array.prototype,
  ReadonlyArray: Array.prototype,
  Set: Set.prototype,
  Map: Map.prototype,
  WeakSet: WeakSet.prototype,
  WeakMap: WeakMap.prototype,
  RegExp: RegExp.prototype,
  Date: Date.prototype,
};

/** As declarations name them. */
const SPOKEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(SHAPES).map((name) => [name, name])),
  string: 'String',
  number: 'Number',
};

function isOwn(type: string, {symbols, imports}: FileFacts): boolean {
  return symbols.some(({name}) => name === type) || imports.some(({local}) => local === type);
}
