import {posix} from 'node:path';
import type {NamedTasks, ReadText} from './package-scripts.ts';

interface TaskCommand {
  readonly words: readonly string[];
  readonly program: string;
  readonly base: string;
  readonly reason: string;
}

/** Finds the recipes of a Makefile or justfile that a command runs, with those of their prerequisites. */
export function makeTargets({words, program, base, reason}: TaskCommand, read: ReadText): readonly NamedTasks[] {
  const kind = KINDS.get(program);
  if (kind === undefined) return [];
  const folder = posix.join(base, optionOf(words, kind.folder) ?? '');
  const folderInside = folder === '.' ? '' : folder;
  if (folderInside.startsWith('..') || folderInside.startsWith('/')) return [];
  const file = optionOf(words, kind.file);
  const names = file === undefined ? kind.files : [file];
  const path = names.map((name) => posix.join(folderInside, name)).find((name) => read(name) !== undefined);
  if (path === undefined) return [];
  const book = recipes(read(path) ?? '');
  const targets = words.slice(1).filter((word) => book.has(word));
  const [first] = book.keys();
  const wanted = targets.length > 0 ? targets : first === undefined ? [] : [first];
  return wanted.map((target) => ({
    file: {path, reason: `target "${target}" of ${reason}`},
    lines: linesOf(target, book).map((line) => ({line, base: folderInside, reason: `target "${target}"`})),
  }));
}

interface Kind {
  readonly files: readonly string[];
  readonly file: readonly string[];
  readonly folder: readonly string[];
}

const MAKE: Kind = {files: ['GNUmakefile', 'makefile', 'Makefile'], file: ['-f', '--file', '--makefile'], folder: ['-C', '--directory']};

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['make', MAKE],
  ['gmake', MAKE],
  ['just', {files: ['justfile', '.justfile', 'Justfile'], file: ['-f', '--justfile'], folder: ['-d', '--working-directory']}],
]);

function optionOf(words: readonly string[], options: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const [name, value] = word.split('=', 2);
    if (options.includes(name ?? '')) return value ?? words[index + 1];
    const short = options.find((option) => option.length === 2 && word.startsWith(option) && word.length > 2);
    if (short !== undefined && !word.startsWith('--')) return word.slice(2);
  }
  return undefined;
}

interface Recipe {
  readonly needs: readonly string[];
  readonly lines: string[];
}

/** The rules of a Makefile as far as names go: no functions, no conditions. Simple variables are put in. */
function recipes(text: string): ReadonlyMap<string, Recipe> {
  const variables = new Map<string, string>();
  const book = new Map<string, Recipe>();
  let current: readonly Recipe[] = [];
  const filled = (line: string): string =>
    line.replaceAll(
      /\$[({](\w+)[)}]|\{\{\s*(\w+)\s*\}\}/g,
      (whole, name?: string, other?: string) => variables.get(name ?? other ?? '') ?? (name === 'MAKE' ? 'make' : whole),
    );
  for (const line of text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .slice(0, MAX_LINES)) {
    if (/^[\t ]+\S/.test(line)) {
      for (const recipe of current) recipe.lines.push(filled(line.trim().replace(/^[@+-]+/, '')));
      continue;
    }
    const assigned = /^(\w+)\s*(?:[:?+]{0,3}=)\s*(.*)$/.exec(line);
    if (assigned !== null) {
      variables.set(assigned[1] ?? '', filled(assigned[2] ?? '').replace(/^["'](.*)["']$/, '$1'));
      continue;
    }
    const rule = /^@?([\w./% -]+?)(?:\s+[\w="'*+ ]+)?\s*::?(?!=)([^;#]*)(?:;(.*))?/.exec(line);
    if (rule === null) continue;
    const needs = filled(rule[2] ?? '')
      .split(/[\s|]+/)
      .filter((word) => word !== '');
    current = (rule[1] ?? '').split(/\s+/).map((target) => {
      const earlier = book.get(target);
      const recipe = {needs: [...(earlier?.needs ?? []), ...needs], lines: earlier?.lines ?? []};
      if (!target.startsWith('.')) book.set(target, recipe);
      return recipe;
    });
    if (rule[3] !== undefined) for (const recipe of current) recipe.lines.push(filled(rule[3].trim()));
  }
  return book;
}

const MAX_LINES = 5000;

function linesOf(target: string, book: ReadonlyMap<string, Recipe>, seen = new Set<string>()): readonly string[] {
  const recipe = book.get(target);
  if (recipe === undefined || seen.has(target)) return [];
  seen.add(target);
  return [...recipe.needs.flatMap((need) => linesOf(need, book, seen)), ...recipe.lines];
}
