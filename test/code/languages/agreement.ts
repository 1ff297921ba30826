import {execFileSync} from 'node:child_process';
import {parseText} from '../../../src/code/extract/parse-text.ts';
import {textOf, typeOf} from '../../../src/code/extract/syntax.ts';
import type {SymbolFact} from '../../../src/code/file-facts.ts';
import {tableFor} from '../../../src/code/languages/all.ts';
import type {SymbolKind} from '../../../src/code/symbol.ts';
import {theirMistake} from './their-mistakes.ts';

/** What universal-ctags lists. */
export interface Tag {
  readonly name: string;
  readonly kind: string;
  /** From 1. */
  readonly line: number;
  readonly path: string;
  readonly scope?: string;
  readonly scopeKind?: string;
}

/** Their kinds and the ones of ours that mean the same. What is not in the table is compared by its own name. */
const SAME: Readonly<Record<string, readonly SymbolKind[]>> = {
  alias: ['type', 'function', 'method'], // TypeScript: a type. Sh and Ruby: another name of a command or a method.
  accessor: ['property'], // Ruby attr_reader: used like a property.
  annotation: ['interface', 'class'], // Java @interface, Kotlin annotation class.
  array: ['property'], // JSON keys are properties whatever their value is.
  boolean: ['property'],
  chapter: ['namespace'], // Headings hold what is under them.
  section: ['namespace'],
  subsection: ['namespace'],
  subsubsection: ['namespace'],
  l4subsection: ['namespace'],
  l5subsection: ['namespace'],
  class: ['class', 'struct', 'function', 'enum'], // Kotlin enum class; JavaScript functions that ctags sees used as classes.
  const: ['constant'],
  constant: ['constant', 'class', 'enum_member', 'property', 'function'], // Ruby `A = Struct.new`; TypeScript `const f = () =>`.
  define: ['constant'], // PHP define().
  enumConstant: ['enum_member'],
  enumerator: ['enum_member'],
  exception: ['struct'], // Elixir defexception is a defstruct.
  callback: ['method'],
  delegate: ['function'],
  event: ['property'],
  externvar: ['variable'],
  field: ['property', 'constant'], // Java static final fields are listed as fields there.
  func: ['function', 'method'],
  function: ['function', 'method'], // Elixir, Lua, C++ and PHP have one kind for both there.
  generator: ['function'],
  getter: ['method'],
  setter: ['method'],
  guard: ['function'],
  implementation: ['impl'],
  interface: ['interface', 'trait'], // A Rust trait is listed as an interface.
  macro: ['constant', 'function'], // With parameters it is used as a function.
  member: ['property', 'method', 'variable'], // Python methods, C members.
  method: ['method', 'function', 'property'], // Kotlin and Ruby functions at the top are methods there.
  methodSpec: ['method'],
  module: ['module', 'namespace'],
  namespace: ['namespace', 'module'],
  null: ['property'],
  number: ['property'],
  object: ['property', 'class'], // JSON objects; Kotlin objects are classes with one instance.
  operator: ['function'], // Elixir defines its operators as functions.
  package: ['module'],
  packageName: ['module'],
  property: ['property', 'method'], // A property that holds a function is a method of ours.
  protocol: ['interface'],
  prototype: ['function', 'method'],
  record: ['struct'],
  singletonMethod: ['method', 'function'], // In a block that stands in no class, it is a function.
  string: ['property'],
  struct: ['struct'],
  talias: ['type'],
  test: ['function'],
  trait: ['trait'],
  type: ['type'],
  typealias: ['type'],
  typedef: ['type'],
  union: ['struct'], // One kind for what has fields.
  var: ['variable'],
  variable: ['variable', 'constant', 'property', 'function'], // Python constants and class variables; PHP members; Kotlin `val`.
  variant: ['enum_member'],
};

/** What they list and we do not, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  unknown: 'imported names: imports are facts of their own',
  packageName: 'an import under another name',
  heredoc: 'the end marker of a text, no symbol',
  parameter: 'local to its function',
  local: 'local to its function',
  anchor: 'an anchor of YAML is no key',
  library: 'an import',
  script: 'an import',
  use: 'an import',
  header: 'an import',
  anonMember: 'an embedded type has no name of its own',
  describe: 'the block of a test has no name',
  context: 'the block of a test has no name',
  'csharp macro': 'a switch of the preprocessor',
  'python namespace': 'an imported module under another name',
  'php alias': 'an import',
  'csharp typedef': 'an import under another name',
};

/** Kinds of ours that theirs has no word for: they cannot be superfluous. */
const OURS: Readonly<Record<string, readonly SymbolKind[]>> = {
  bash: ['variable', 'constant'],
  lua: ['variable', 'constant', 'property'],
  elixir: ['constant', 'struct'],
  rust: ['constant', 'impl'],
  ruby: ['variable', 'property'],
};

/** Their scopes that are no declaration around what stands at the top. */
const OPEN: ReadonlySet<string> = new Set(['namespace', 'package', 'module', 'packageName']);

/** Their parsers of these know no scopes, or lose them: compared is what is not indented. */
const FLAT: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'lua', 'bash', 'kotlin']);

const THEIR_NAMES: Readonly<Record<string, string>> = {cpp: 'C++', csharp: 'C#', bash: 'Sh', tsx: 'TypeScript'};

/** Their tags by file, all files read as one language. */
export function tagsOf(files: readonly string[], language: string): ReadonlyMap<string, readonly Tag[]> {
  const force = `--language-force=${THEIR_NAMES[language] ?? language}`;
  const args = ['--output-format=json', '--fields=+nKe', '--kinds-C=+px', '--kinds-C++=+px', '--sort=no', force, '-L', '-', '-f', '-'];
  const byFile = new Map<string, Tag[]>(files.map((file) => [file, []]));
  for (const line of execFileSync('ctags', args, {
    encoding: 'utf8',
    input: files.join('\n'),
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  }).split('\n')) {
    if (line === '') continue;
    const tag = JSON.parse(line) as Tag;
    byFile.get(tag.path)?.push(tag);
  }
  return byFile;
}

export interface Comparison {
  /** What they list at the top. */
  readonly count: number;
  /** What of it no symbol of ours has by name, kind and line: `kind name line`. */
  readonly lost: readonly string[];
  /** Symbols of ours at the top that they do not list. */
  readonly superfluous: readonly string[];
  readonly ours: number;
  /** Tags that are wrong, by the name of the mistake. */
  readonly mistakes: readonly string[];
}

export interface Compared {
  readonly language: string;
  readonly text: string;
  readonly tags: readonly Tag[];
  readonly symbols: readonly SymbolFact[];
  /** Lines within a string or a comment of several lines, from 1: `linesOfText`. */
  readonly texts: ReadonlySet<number>;
}

/** What stands at the top of a file: theirs and ours. */
export function compare({language, text, tags, symbols, texts}: Compared): Comparison {
  const lines = text.split('\n');
  const flat = (line: number): boolean => !FLAT.has(language) || !/^\s/u.test(lines[line - 1] ?? '');
  const wanted = tags.filter(
    (tag) => isMeant(language, tag) && (tag.scope === undefined || OPEN.has(tag.scopeKind ?? '')) && flat(tag.line),
  );
  const [theirs, own] = [byLine(tags, ({line}) => line), byLine(symbols, ({nameRange}) => nameRange.start.line + 1)];
  const different = wanted.filter((tag) => own.get(tag.line)?.some((symbol) => isSame(tag, symbol)) !== true);
  const mistakes = different.map((tag) => theirMistake(language, {tag, lines, symbols, texts}));
  const lost = different.filter((_, index) => mistakes[index] === undefined);
  const tops = symbols.filter(
    (symbol) =>
      isTop(symbols, symbol) &&
      symbol.owner === undefined &&
      flat(symbol.nameRange.start.line + 1) &&
      OURS[language]?.includes(symbol.kind) !== true,
  );
  const extra = tops.filter((symbol) => theirs.get(symbol.nameRange.start.line + 1)?.some((tag) => isNamed(tag, symbol)) !== true);
  return {
    count: wanted.length - (different.length - lost.length),
    lost: lost.map(({kind, name, line}) => `${kind} ${name} ${line}`),
    ours: tops.length,
    superfluous: extra.map(({kind, name, nameRange}) => `${kind} ${name} ${nameRange.start.line + 1}`),
    mistakes: mistakes.filter((mistake) => mistake !== undefined),
  };
}

function byLine<One>(all: readonly One[], lineOf: (one: One) => number): ReadonlyMap<number, readonly One[]> {
  const lines = new Map<number, One[]>();
  for (const one of all) lines.set(lineOf(one), [...(lines.get(lineOf(one)) ?? []), one]);
  return lines;
}

/** Lines that are a string, a comment, or a text up to a mark, but for the first of each. */
export async function linesOfText(language: string, text: string): Promise<ReadonlySet<number>> {
  const syntax = await parseText(tableFor(language, text), text, new AbortController().signal);
  const lines = new Set<number>();
  const ends = [...text.matchAll(/\n/gu)].map(({index}) => index);
  const line = (offset: number): number => {
    const end = ends.findIndex((at) => at >= offset);
    return end < 0 ? ends.length + 1 : end + 1;
  };
  if (syntax === undefined) return lines;
  for (let node = 0; node < syntax.count; node++) {
    if (!/string|heredoc|comment|quoted|fenced/u.test(typeOf(syntax, node)) || !textOf(syntax, node).includes('\n')) continue;
    for (let at = line(syntax.start[node] ?? 0) + 1; at <= line(syntax.end[node] ?? 0); at++) lines.add(at);
  }
  return lines;
}

/** Whether a tag of theirs means something that we list, too. */
export function isMeant(language: string, {kind, name}: Tag): boolean {
  return (
    LEFT_OUT[kind] === undefined && LEFT_OUT[`${language} ${kind}`] === undefined && !/^(?:__anon|<|\d+$|anonymousF|AnonymousF)/u.test(name)
  );
}

/** By name, kind and line. */
export function isSame(tag: Tag, symbol: SymbolFact): boolean {
  return isNamed(tag, symbol) && (SAME[tag.kind] ?? [tag.kind]).includes(symbol.kind);
}

function isNamed(tag: Tag, {name, nameRange}: SymbolFact): boolean {
  if (nameRange.start.line + 1 !== tag.line) return false;
  const written = plain(tag.kind === 'accessor' ? tag.name.replace(/=$/u, '') : tag.name);
  const own = plain(name);
  return own === written || own.replace(/^.*[.:]/u, '') === written.split(/[.:]/u).at(-1);
}

/** Without marks that one of the two leaves out. */
function plain(name: string): string {
  return name
    .replace(/^operator /u, 'operator')
    .replace(/^.*\["(.*)"\]$/u, '$1')
    .replace(/^[$#@]+/u, '')
    .replaceAll(/\s+/gu, '');
}

function isTop(symbols: readonly SymbolFact[], symbol: SymbolFact): boolean {
  let parent = symbols[symbol.parent];
  while (parent !== undefined && ['namespace', 'module'].includes(parent.kind)) parent = symbols[parent.parent];
  return parent === undefined;
}
