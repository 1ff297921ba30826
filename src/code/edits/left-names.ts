import {familyOf} from '../store/symbol-edges.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources, PlannedFile} from './edit-plan.ts';
import {isLocal} from './is-member.ts';
import {isModulePrivate} from './is-module-private.ts';
import {mayLoad} from './loaded-modules.ts';
import {moduleName} from './module-name.ts';

/**
 * Where the old name still stands after a rename, and something may look the symbol up by it: `spyOn(a, 'load')`, a module that is loaded
 * while the program runs, `monkeypatch.setattr(a, 'load', …)`, a type in quotes, `send(:load)`, the body of a macro of C, `"{LIMIT}"` in Rust.
 * As `path:line:column`.
 */
export async function leftNames(symbol: CodeSymbol, planned: readonly PlannedFile[], sources: EditSources): Promise<readonly string[]> {
  const {graph, read, signal} = sources;
  const files = await graph.files(signal);
  const family = familyOf(files.find(({path}) => path === symbol.path)?.language ?? '');
  const find = isLocal(symbol) && !TEXT_LOCALS.has(family) ? undefined : READERS[family];
  if (find === undefined) return [];
  const after = new Map(planned.map((file) => [file.path, file.after]));
  const asked = await askedOf(symbol, sources);
  const found: string[] = [];
  for (const {path, language} of files) {
    if (familyOf(language) !== family) continue;
    const text = after.get(path) ?? (await read(path));
    if (!text.includes(symbol.name)) continue;
    signal.throwIfAborted();
    const isLoaded = family === 'typescript' && (await mayLoad({path, text}, symbol, sources));
    const patterns = find({...asked, text, isLoaded, isOwn: path === symbol.path});
    found.push(...patterns.flatMap((pattern) => placesOf(text, pattern, symbol.name)).map((place) => `${path}:${place}`));
  }
  return [...new Set(found)];
}

async function askedOf(symbol: CodeSymbol, sources: EditSources): Promise<Omit<Asked, 'text' | 'isLoaded' | 'isOwn'>> {
  return {
    name: symbol.name,
    word: wordOf(symbol.name),
    home: moduleName(symbol.path),
    isHidden: isLocal(symbol),
    isPrivate: await isModulePrivate(symbol, sources),
    isClass: symbol.kind === 'class',
  };
}

/** Where texts name also what a function declares. */
const TEXT_LOCALS: ReadonlySet<string> = new Set(['rust', 'bash', 'typescript']);

/** The name and no part of a longer one, as a pattern. */
export function wordOf(name: string): string {
  return `(?<![\\p{ID_Continue}$])${escaped(name)}(?![\\p{ID_Continue}$])`;
}

export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

interface Asked {
  readonly name: string;
  readonly word: string;
  readonly text: string;
  /** The file that declares it. */
  readonly isOwn: boolean;
  readonly isClass: boolean;
  /** In a function: no other code names it. */
  readonly isHidden: boolean;
  /** A script that loads, or replaces, a module which may hold it. */
  readonly isLoaded: boolean;
  /** Its module keeps it to itself. */
  readonly isPrivate: boolean;
  /** The module that declares it. */
  readonly home: string;
}

/** What reads names, for each family of languages: patterns, each of which ends with the name or soon behind it. */
const READERS: Readonly<Record<string, ((asked: Asked) => readonly string[]) | undefined>> = {
  typescript: ({word, isHidden, ...asked}) => [
    `\\bbound ${word}`,
    ...(isHidden ? [] : [`\\b(?:${CALLS})\\s*\\([^;{}]{0,200}?['"\`]${word}['"\`]`]),
    ...(!isHidden && INLINE.test(asked.text) ? [`^\\s*["']?${word}["']?:`] : []),
    ...(mayName({word, isHidden, ...asked}) ? [`^(?!\\s*(?://|\\*|/\\*)).*?${word}`] : []),
  ],
  python: ({word, text, isOwn, isClass, home}) => [
    ...(LOADS_PYTHON.test(text) ? [`\\.[ \\t]*${word}`] : []),
    // A default that has the name of its parameter: of the two the index knows one.
    `[(,][ \\t]*${word}[ \\t]*(?::[^=\\n]*)?=[ \\t]*${word}`,
    ...(RUNS_PYTHON.test(text) ? [`^(?![ \\t]*#).*?${word}`] : []),
    `\\b(?:\\w+attr|globals|locals|vars|patch|usefixtures)\\b.*['"]${word}['"]`,
    // In a list of names, or behind the module of which it is one.
    ...(isOwn || !new RegExp(`\\b${escaped(home)}\\b`, 'u').test(text)
      ? []
      : [`(?:[,[{]|^)[ \\t]*['"]${word}['"]`, `\\([ \\t]*['"]${word}['"][ \\t]*,`]),
    // A type in quotes: of what is declared later.
    ...(isClass
      ? [
          `(?:->|[:[|,(])\\s*['"](?:[\\w.]+\\s*[[\\],|]+\\s*)*(?:[\\w.]+\\.)?${word}(?:\\s*[[\\],|]+\\s*[\\w.]*)*['"]\\s*(?:[\\]:,)=|]|$)(?!\\s*:)`,
        ]
      : []),
  ],
  c: ({word}) => [`^[ \\t]*#(?:[^\\n\\\\]|\\\\\\r?\\n|\\\\.)*?${word}`, `["']${word}["']`],
  rust: ({word}) => [`"[^"\\n]*\\{${word}[:}]`, `"(?:\\w+::)*${word}"`],
  go: ({word, name}) => [
    `\\{\\{[^}\\n]{0,200}\\.${word}`,
    `^func Example(?:\\w+_)?${escaped(name)}(?:_\\w*)?\\(`,
    `^//(?:go:linkname|export)\\b.*${word}`,
  ],
  ruby: ({word}) => [`(?<!:):${word}(?![?!:])`, `['"]${word}['"]`, `%[wiWI][[({][^\\])}]{0,1000}?${word}`],
  elixir: ({word}) => [`(?<!:):${word}`, `['"]${word}['"]`],
  php: ({word}) => [`['"\\\\:]${word}['"]`],
  bash: ({word}) => [`^[^#\\n]*?${word}`],
  lua: ({word}) => [`['"]${word}['"]`],
  java: ({word}) => [`"(?:[\\w.$/#:]{0,200}[.$/#:])?${word}["(]`],
  csharp: ({word}) => [`"(?:[\\w.]+\\.)?${word}[",]`],
  swift: ({word}) => [`"${word}[":]`],
};

/** What asks an object for a member, or replaces it, by a text. */
const CALLS =
  'spyOn|spyOnProperty|spy|stub|method|replace|fake|getter|setter|__get__|__set__|toHaveProperty|hasOwn|hasOwnProperty|Reflect\\.\\w+|pick|omit';

/** Texts that show values, with their keys. */
const INLINE = /\bto\w*InlineSnapshot\(/;

/** Modules of Python that are loaded while the program runs, and texts that are run. */
const LOADS_PYTHON = /\b(?:__import__|import_module|import_fresh_module|exec_module|load_module|run_module|run_path)\s*\(/;
const RUNS_PYTHON = /(?<![\w.])(?:exec|eval)\s*\(/;

/** What a module keeps to itself, only code that is made of texts in it can name. */
function mayName({text, isHidden, isPrivate, isOwn, isLoaded}: Asked): boolean {
  if (isHidden) return false;
  return isPrivate ? isOwn && GENERATES.test(text) : isLoaded || GENERATES.test(text);
}

/** Texts that are run as code: they may name whatever they are given. */
const GENERATES =
  /\bnew\s+Function\s*\(|(?<![\w.$])(?:Function|eval)\s*\(|\b(?:runIn(?:This|New)?Context|compileFunction)\s*\(|\bvm\.Script\b/;

function placesOf(text: string, pattern: string, name: string): readonly string[] {
  return [...text.matchAll(new RegExp(pattern, 'gmu'))].map(({index, 0: {length}}) => {
    const before = text.slice(0, text.lastIndexOf(name, index + length - 1));
    return `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`;
  });
}
