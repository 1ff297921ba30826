// The words of docs/glossary.md: names, file names, texts and docstrings of src/ are in the field's plain English.
import {readdirSync, readFileSync} from 'node:fs';
import {join, sep} from 'node:path';
import ts from 'typescript-6';

const SRC = join(import.meta.dirname, '../src');

/** A word of a house dialect and the field's word for it. In names each hump counts, in file names each part. */
const NAMES: Readonly<Record<string, string>> = {
  mend: 'fix, repair',
  mended: 'fixed, repaired',
  mending: 'fixing, repairing',
  wall: 'sandbox',
  walls: 'sandbox',
  walled: 'sandboxed',
  obey: 'load',
  obeyed: 'autoloaded',
  court: 'context',
  patience: 'deadline, timeout',
  keeper: 'the role of it: window, service, holder',
  lesser: 'effective',
  spelled: 'escaped, encoded, translated',
  spelling: 'alias, form',
  spellings: 'aliases, encoded forms',
  facility: 'capability',
  facilities: 'capabilities',
  door: 'listener, gate',
  doors: 'listeners',
  affords: 'canAfford',
  told: 'reported, notified',
  telling: 'reporting, distinctive',
  teller: 'emitter',
  given: 'what it is: args, input, scoped',
  habit: 'translation, convention',
  habits: 'translations, conventions',
  tame: 'silence, harmless',
  tamed: 'silenced',
  objection: 'rejection',
  objections: 'rejections',
};

/** Phrases of texts that people or models read, with what to write. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\bwalls?\b(?!-clock| clock)/i, 'sandbox'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bobey(?:s|ed)?\b/i, 'load, run'],
  [/\bspell(?:ed|ings)\b/i, 'escaped, written, alias'],
  [/\bpatience\b/i, 'deadline, timeout'],
  [/(?<!there |where )\b(?:is|was) no (?!longer|more|such|other|one|way|need|room|space|sandbox|escape)/i, 'is not a'],
  [/\bsign of life\b/i, 'no progress'],
  [/\bleft alone\b/i, 'abandoned, unchanged'],
  [/\bown way\b/i, 'fork'],
  [/\bleads? elsewhere\b/i, 'changed target'],
  [/\bin the end\b/i, 'finally, when done'],
  [/\btaken apart\b/i, 'parsed'],
  [/never an order/i, 'untrusted data, not instructions'],
];

const DOCSTRING = /^(?:What|Where|Of|Who|Whose|Whether)\b/;

/** At most 20: a place that may stay, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'policy/read-only/git-commands.table.ts:patience': 'an option of git diff',
};

const MAX_ALLOWED = 20;

const used = new Set<string>();
const files = readdirSync(SRC, {recursive: true, encoding: 'utf8'})
  .map((name) => name.split(sep).join('/'))
  .filter((name) => name.endsWith('.ts') && !name.startsWith('code/'));
const problems = [...files.flatMap(fileName), ...files.flatMap(source), ...allowList()];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function fileName(file: string): string[] {
  return file.split(/[/.-]/).flatMap((part) => named(file, part, `file name: ${part}`));
}

function source(file: string): string[] {
  const tree = ts.createSourceFile(file, readFileSync(join(SRC, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...declared(file, node), ...text(file, node), ...docstring(file, node));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Names where they are declared: a name of a library that is only used is not ours to choose. */
function declared(file: string, node: ts.Node): string[] {
  if (!ts.isIdentifier(node) || !('name' in node.parent) || node.parent.name !== node) return [];
  if (ts.isPropertyAccessExpression(node.parent)) return [];
  return humps(node.text).flatMap((hump) => named(`${file}:${lineOf(node)}`, hump, `${node.text}: ${hump}`, `${file}:${node.text}`));
}

function humps(name: string): readonly string[] {
  return name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ');
}

function named(place: string, word: string, what: string, key = place): string[] {
  const better = Object.hasOwn(NAMES, word) ? NAMES[word] : undefined;
  return better === undefined || isAllowed(key) ? [] : [`src/${place}: ${what} → ${better}`];
}

/** Texts of several words; patterns and keys have none. */
function text(file: string, node: ts.Node): string[] {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node)) return [];
  if (!/\S \S/.test(node.text)) return [];
  return TEXTS.flatMap(([pattern, better]) => {
    const word = pattern.exec(node.text)?.[0];
    return word === undefined || isAllowed(`${file}:${word}`) ? [] : [`src/${file}:${lineOf(node)}: text: "${word}" → ${better}`];
  });
}

function docstring(file: string, node: ts.Node): string[] {
  if (!('jsDoc' in node)) return [];
  return ts.getJSDocCommentsAndTags(node).flatMap((doc) => {
    const first = doc.getText().replace(/^\/\*\*[\s*]*/, '');
    const word = DOCSTRING.exec(first)?.[0];
    return word === undefined ? [] : [`src/${file}:${lineOf(node)}: docstring begins with "${word}": begin with a verb or a noun`];
  });
}

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function isAllowed(key: string): boolean {
  const isListed = Object.hasOwn(ALLOWED, key);
  if (isListed) used.add(key);
  return isListed;
}

function allowList(): string[] {
  const keys = Object.keys(ALLOWED);
  const unused = keys.filter((key) => !used.has(key)).map((key) => `scripts/check-words.ts: nothing needs "${key}" any more`);
  return keys.length > MAX_ALLOWED ? [...unused, `scripts/check-words.ts: ${keys.length} exceptions, at most ${MAX_ALLOWED}`] : unused;
}
