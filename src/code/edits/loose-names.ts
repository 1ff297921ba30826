import type {FileFacts, SymbolFact} from '../file-facts.ts';
import {familyOf} from '../store/symbol-edges.ts';
import type {CodeSymbol, SymbolKind} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isMember} from './is-member.ts';

export interface MemberRename {
  readonly symbol: CodeSymbol;
  /** Where the index knows that it is meant, as `placeText` writes it. */
  readonly known: ReadonlySet<string>;
}

/**
 * Places that may name a member though nothing says so: the key of an object that has the type without being told, a pattern that takes it
 * out, the label of an argument, a text that is the name, a member of the same name where types are equal when their members are. Empty for what is no member.
 */
export async function looseNames({symbol, known}: MemberRename, {graph, read, signal}: EditSources): Promise<readonly string[]> {
  if (!isMember(symbol)) return [];
  const files = await graph.files(signal);
  const own = files.find(({path}) => path === symbol.path)?.language ?? '';
  const found: string[] = [];
  for (const {path, language} of files) {
    const isData = language === 'json' && !MANIFEST.test(path);
    if (!isData && familyOf(language) !== familyOf(own)) continue;
    const text = await read(path);
    if (!text.includes(symbol.name)) continue;
    const places = isData ? keysOf(text, symbol.name) : await looseIn({path, language, text}, {symbol, known}, {graph, signal});
    found.push(...places.map((start) => placeText(path, {start})));
  }
  return [...new Set(found)];
}

interface Code {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

async function looseIn(
  {path, language, text}: Code,
  {symbol, known}: MemberRename,
  {graph, signal}: Pick<EditSources, 'graph' | 'signal'>,
): Promise<SymbolFact['nameRange']['start'][]> {
  const facts = await graph.factsOf(path, text, signal);
  const names = await graph.namesIn(path, {text, name: symbol.name}, signal);
  const alike = facts === undefined ? [] : alikes(facts, symbol, STRUCTURAL.has(familyOf(language)));
  return [
    // What nothing uses, and what the class itself looks for, may be what a computed name means.
    ...(path === symbol.path ? computedNames(text, language, known.size > 1) : []),
    ...textsOf(text, symbol.name, language),
    ...[...names.map(({range}) => range), ...alike].filter((range) => !known.has(placeText(path, range))).map(({start}) => start),
  ];
}

/** What tools read and not the program. */
const MANIFEST = /(?:^|\/)(?:package|package-lock|composer|[tj]sconfig[^/]*|\.[^/]+)\.json$/;

/** Objects that are read from data have its keys. */
function keysOf(text: string, name: string): SymbolFact['nameRange']['start'][] {
  if (!text.includes(`"${name}"`)) return [];
  return text.split('\n').flatMap((content, line) => {
    const at = content.indexOf(`"${name}":`);
    return at < 0 ? [] : [{line, character: at + 1}];
  });
}

function placeText(path: string, {start}: Pick<SymbolFact['nameRange'], 'start'>): string {
  return `${path}:${start.line + 1}:${start.character + 1}`;
}

/** Texts that are the name and nothing else: `a['name']`, `Pick<A, 'name'>`, `getattr(a, 'name')`. */
function textsOf(text: string, name: string, language: string): SymbolFact['nameRange']['start'][] {
  const found: SymbolFact['nameRange']['start'][] = [];
  const listsKeys = /\bas const\b|\bkeyof\b/.test(text);
  for (const [line, content] of text.split('\n').entries()) {
    for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1)) {
      const [quote = ' ', end] = [content[at - 1], at + name.length];
      if (!`'"\``.includes(quote) || content[end] !== quote) continue;
      if (
        language === 'javascript' ||
        familyOf(language) !== 'typescript' ||
        readsMember(content.slice(0, at - 1), content.slice(end + 1)) ||
        (listsKeys && isListed(content.slice(0, at - 1), content.slice(end + 1)))
      ) {
        found.push({line, character: at});
      }
    }
  }
  return found;
}

/** `getattr(a, 'handle_' + kind)` */
function computedNames(text: string, language: string, isUsed: boolean): SymbolFact['nameRange']['start'][] {
  if (language !== 'python') return [];
  return text.split('\n').flatMap((content, line) => {
    const at = (isUsed ? OWN_COMPUTED : COMPUTED).exec(content)?.index;
    return at === undefined ? [] : [{line, character: at}];
  });
}

const COMPUTED = /\bgetattr\([^,]+,\s*(?!['"][^'"]*['"]\s*[,)])/;
/** A class that asks itself may mean each of its members, however else that is used. */
const OWN_COMPUTED = /\bgetattr\(\s*(?:self|cls)\s*,\s*(?!['"][^'"]*['"]\s*[,)])/;

/** Where the types say which member is meant, a text means one only in these places. */
function readsMember(before: string, after: string): boolean {
  return /[[|]\s*$/.test(before) || /^\s*(?:[|>]|in\s)/.test(after) || /\b(?:Pick|Omit)</.test(before);
}

/** In a list, whose texts may be keys: `['a', 'b'] as const`. */
function isListed(before: string, after: string): boolean {
  return /(?:^|[[,])\s*$/.test(before) && /^\s*(?:[,\]]|$)/.test(after);
}

/** Languages in which a type has what it needs without naming the other. */
const STRUCTURAL: ReadonlySet<string> = new Set(['typescript', 'go']);

/** Members of the same name of what may be the same type: what has no class of its own. */
function alikes({symbols}: FileFacts, {name, parentId}: CodeSymbol, isStructural: boolean): SymbolFact['nameRange'][] {
  if (!isStructural) return [];
  const mayBeAny = !parentId?.endsWith('#class');
  return symbols
    .filter((member) => {
      const around = symbols[member.parent]?.kind;
      if (member.name !== name) return false;
      return around === undefined ? member.owner !== undefined : FREE.has(around) || (mayBeAny && around === 'class');
    })
    .map(({nameRange}) => nameRange);
}

const FREE: ReadonlySet<SymbolKind> = new Set(['interface', 'type', 'constant', 'variable', 'function', 'method', 'property']);
