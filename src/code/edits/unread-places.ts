import {readFile} from 'node:fs/promises';
import {readdirSync, type Dirent} from 'node:fs';
import {join, posix} from 'node:path';
import {secretRead} from '../../policy/places/protected-paths.ts';
import {listSources} from '../index/list-sources.ts';
import {languageOf} from '../languages/all.ts';
import {familyOf} from '../store/symbol-edges.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {exampleLines} from './example-lines.ts';
import {isLocal} from './is-member.ts';
import {isModulePrivate} from './is-module-private.ts';
import {escaped, wordOf} from './left-names.ts';

/**
 * Where files that the index does not read may name a symbol: sources that were left out (generated, minified, large, binary), code in other
 * files (`.vue`, `.pyx`), templates, values that snapshots show, entry points in settings (`pkg.module:main`), examples in texts that tests run. As `path:line:column`;
 * files that git ignores, and secrets, are not looked into.
 */
export async function unreadPlaces(symbol: CodeSymbol, sources: EditSources): Promise<readonly string[]> {
  const {graph, root, signal} = sources;
  if (isLocal(symbol)) return [];
  const isPrivate = await isModulePrivate(symbol, sources);
  const files = await graph.files(signal);
  const family = familyOf(files.find(({path}) => path === symbol.path)?.language ?? '');
  const read = new Set(files.flatMap(({path, language}) => (familyOf(language) === family ? [path] : [])));
  const found: string[] = [];
  for (const path of await allFiles(root)) {
    signal.throwIfAborted();
    const isOpen = !read.has(path) && (!isPrivate || SHOWS.test(path));
    const names = isOpen ? patternFor(path, symbol, family) : undefined;
    if (names === undefined || secretRead(join(root, path)) !== undefined) continue;
    const text = await readFile(join(root, path), 'utf8').catch(() => ''); // gone meanwhile, or closed to us
    if (text.includes(symbol.name)) found.push(...placesIn(text, names).map((place) => `${path}:${place}`));
  }
  return found;
}

/** What a module keeps to itself, only values that are shown tell. */
const SHOWS = /\.snap$/;

async function allFiles(root: string): Promise<readonly string[]> {
  const {folders} = await listSources(root);
  return [...folders].flatMap(([folder, ignore]) =>
    entriesOf(join(root, folder)).flatMap((entry) =>
      entry.isFile() && ignore.judge(entry.name, false) !== 'ignored' ? [posix.join(folder, entry.name)] : [],
    ),
  );
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}

/** Which lines of a file name the symbol, and how; undefined for files that name no code. */
type Names = (lines: readonly string[]) => readonly (readonly [line: number, character: number])[];

function patternFor(path: string, {name, path: own}: CodeSymbol, family: string): Names | undefined {
  const word = wordOf(name);
  const language = languageOf(path);
  if ((language !== undefined && familyOf(language) === family) || OTHER_CODE[family]?.test(path) === true) return matching(word);
  // What is compiled for Python asks it for names by texts.
  if (family === 'python' && NATIVE.test(path))
    return matching(`"(?:[\\w.:]+[.:])?${word}"|_Py_\\w+\\(${word}|\\bintern!\\([^)]*"${word}"`);
  if (TEMPLATES.test(path)) return matching(`[.{%=]\\s*${word}|${word}\\s*\\(|\\bimport\\b.*${word}`);
  if (SHOWS.test(path)) return matching(`^\\s*${word} \\{|\\[(?:Function:?|class) ${word}|^\\s*["']?${word}["']?:`);
  if (SETTINGS.test(path)) return matching(`(?:${homes(own).join('|')})[.:]${word}`);
  return PROSE.test(path) ? inExamples(word, family) : undefined;
}

/** Code of the same program in files of another sort. */
const OTHER_CODE: Readonly<Record<string, RegExp | undefined>> = {
  typescript: /\.(?:vue|svelte|astro|mdx)$/,
  python: /\.(?:pyx|pxd|pxi|ipynb)$/,
  go: /\.s$/,
  c: /\.(?:s|S|l|y|m|mm|cu|def)$/,
  java: /\.(?:groovy|gradle)$/,
  swift: /\.(?:m|mm|h)$/,
  ruby: /\.(?:haml|slim|ru)$/,
};
const NATIVE = /\.(?:c|cc|cpp|h|hpp|rs)$/;
const TEMPLATES =
  /\.(?:html?|ejs|hbs|pug|j2|jinja2?|tmpl|gohtml|erb|twig|phtml|latte|eex|heex|leex|cshtml|razor|xaml|fxml|ftl|jsp|vm|storyboard|xib)$/;
const SETTINGS = /\.(?:toml|cfg|ini|ya?ml|json|xml)$/;
const PROSE = /\.(?:rst|md|txt)$/;

/** By which names settings know a module: its file, or its folder. */
function homes(path: string): readonly string[] {
  const names = [posix.basename(path).replace(/\..*$/, ''), posix.basename(posix.dirname(path))];
  return names.filter((name) => name !== '' && name !== '.').map((name) => `\\b${escaped(name)}`);
}

function matching(pattern: string): Names {
  const regex = new RegExp(pattern, 'u');
  return (lines) => lines.flatMap((line, index) => firstIn(line, index, regex));
}

function inExamples(word: string, family: string): Names {
  const regex = new RegExp(word, 'u');
  return (lines) => [...exampleLines(family, lines, true)].flatMap((index) => firstIn(lines[index] ?? '', index, regex));
}

function firstIn(line: string, index: number, regex: RegExp): (readonly [number, number])[] {
  const at = regex.exec(line)?.index;
  return at === undefined ? [] : [[index, at]];
}

function placesIn(text: string, names: Names): readonly string[] {
  return names(text.split('\n')).map(([line, character]) => `${line + 1}:${character + 1}`);
}
