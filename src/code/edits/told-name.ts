import {posix} from 'node:path';
import {familyOf} from '../store/symbol-edges.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {exampleLines} from './example-lines.ts';
import {isLocal} from './is-member.ts';

/**
 * Texts that know the name which a function or a type has while the program runs, and examples in comments that tests run. Where a name is
 * compared: `a.constructor.name === 'Server'`, `type(a).__name__ == 'Server'`, `expect(all.map((one) => one.name)).toEqual(['start'])`. Where it is shown: `json.Number` in a text of Go, `Point(x=1)`
 * in one of Python, `Point {` in an inline snapshot. Examples: `>>> start()`, the fences in the doc comments of Rust. As `path:line:column`.
 */
export async function toldNames(symbol: CodeSymbol, {graph, read, signal}: EditSources): Promise<readonly string[]> {
  const {name, kind, path: own} = symbol;
  const files = await graph.files(signal);
  const family = familyOf(files.find(({path}) => path === own)?.language ?? '');
  if (TELLS[family] === undefined) return [];
  const home = family === 'go' ? packageOf(await read(own)) : posix.basename(own).replace(/\..*$/, '');
  const found: string[] = [];
  for (const {path, language} of files) {
    if (familyOf(language) !== family) continue;
    const text = await read(path);
    if (text.includes(name))
      found.push(...toldIn(text.split('\n'), {name, kind, home, family, isHidden: isLocal(symbol)}).map((place) => `${path}:${place}`));
  }
  return found;
}

interface Asked extends Pick<CodeSymbol, 'name' | 'kind'> {
  /** Its package or module. */
  readonly home: string;
  readonly family: string;
  /** In a function: it has a name while it runs, but no other code calls it. */
  readonly isHidden: boolean;
}

/** `line:column`, from 1. */
function toldIn(lines: readonly string[], {name, kind, home, family, isHidden}: Asked): readonly string[] {
  const examples = isHidden ? new Set() : exampleLines(family, lines, false);
  const tells = NAMED.has(kind) ? TELLS[family] : undefined;
  const isType = kind !== 'function' && kind !== 'method';
  const isRead = lines.some((line) => READS_NAME.test(line));
  return lines.flatMap((line, index) => {
    const [at] = placesIn(line, name);
    const isReported = at !== undefined && (tells?.({line, name, home, isType, isRead}) === true || examples.has(index));
    return isReported ? [`${index + 1}:${at + 1}`] : [];
  });
}

const NAMED: ReadonlySet<CodeSymbol['kind']> = new Set(['function', 'class', 'method', 'struct', 'type', 'interface', 'enum']);

interface Line {
  readonly line: string;
  readonly name: string;
  /** Its package or module. */
  readonly home: string;
  /** A type, of which values are shown. */
  readonly isType: boolean;
  /** Somewhere in the file names of functions are read. */
  readonly isRead: boolean;
}

const TELLS: Readonly<Record<string, ((line: Line) => boolean) | undefined>> = {
  typescript: ({line, name, isType, isRead}) =>
    (isRead && isValue(line, name)) ||
    ((isType ? /\.name\b|\bname:/ : /\.name\b/).test(line) && isText(line, name)) ||
    (isType && line.trimStart().startsWith(`${name} {`)) ||
    SHOWN.some((before) => inText(line, before + name)),
  python: ({line, name, home, isType}) =>
    (/\b__(?:qual)?name__\b/.test(line) && isText(line, name)) || (isType && inText(line, `${name}(`)) || inText(line, `${home}.${name}`),
  go: ({line, name, home}) => inText(line, `${home}.${name}`),
  rust: () => false,
};

/** `names.map((one) => one.name)`; what is called or set is a member of something else. */
const READS_NAME = /[\w$)\]]\??\.name\b(?!\s*(?:\(|=(?!=)))/;

/** The name as a text that may be compared: no key, no title of a test, no module. */
function isValue(line: string, name: string): boolean {
  return ['"', "'", '`'].some((quote) => {
    const text = `${quote}${name}${quote}`;
    const at = line.indexOf(text);
    return at >= 0 && !NO_VALUE.test(line.slice(0, at)) && !/^\s*:/.test(line.slice(at + text.length));
  });
}

const NO_VALUE = /\b(?:describe|it|test|suite|context|from|require|import)\b(?:\.\w+)*\s*\(?\s*$/;

/** How Node and test runners show functions and classes. */
const SHOWN = ['[Function: ', '[Function ', '[class '];

/** The name between quotes, and nothing else. */
function isText(line: string, name: string): boolean {
  return ['"', "'", '`'].some((quote) => line.includes(`${quote}${name}${quote}`));
}

/** Words that begin somewhere behind an opening quote of the same line. */
function inText(line: string, words: string): boolean {
  return placesIn(line, words).some((at) => ['"', "'", '`'].some((quote) => line.slice(0, at).split(quote).length % 2 === 0));
}

function placesIn(line: string, words: string): readonly number[] {
  const found: number[] = [];
  for (let at = line.indexOf(words); at >= 0; at = line.indexOf(words, at + 1)) {
    const after = line[at + words.length] ?? '';
    if (!WORD.test(line[at - 1] ?? '') && (!WORD.test(words.at(-1) ?? '') || !WORD.test(after))) found.push(at);
  }
  return found;
}

const WORD = /[\p{ID_Continue}$]/u;

function packageOf(text: string): string {
  return /^package (\w+)/m.exec(text)?.[1] ?? '';
}
