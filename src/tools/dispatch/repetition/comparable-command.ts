import {comparablePath} from './comparable-path.ts';

/**
 * Returns one text for all forms of a command line that do the same: white space and comments outside of quotes, `./a`, `a//b` and
 * absolute paths below `root`, and a `cd` into `root` in front. Quoted words stay as they are, and so does a line with a here-document.
 */
export function comparableCommand(line: string, root: string): string {
  if (line.includes('<<')) return line.trim();
  const words: string[] = [];
  for (const token of line.match(TOKEN) ?? []) {
    if (token.startsWith('#')) continue;
    if (!OPERATORS.has(token)) words.push(comparableWord(token, isCommandName(words), root));
    else if (words.length > 0 && !(token === '\n' && OPERATORS.has(words.at(-1) ?? ''))) words.push(token);
  }
  while (words.at(-1) === '\n' || words.at(-1) === ';') words.pop();
  return withoutEntering(words).join(' ');
}

/** Comments, operators, words with their quoted parts; an unpaired quote is literal. */
const TOKEN = /#[^\n]*|&&|\|\||[;|\n]|(?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|&(?!&)|[^\s'"\\;|&])+|['"\\]/g;
const OPERATORS: ReadonlySet<string> = new Set(['&&', '||', ';', '|', '\n']);

function isCommandName(before: readonly string[]): boolean {
  return before.length === 0 || OPERATORS.has(before.at(-1) ?? '');
}

function comparableWord(word: string, isName: boolean, root: string): string {
  if (!word.includes('/') || /['"\\$`*?:=<>]/.test(word)) return word;
  const path = comparablePath(word, root);
  // Without its slash, a program of this folder would be another one.
  return isName && !path.includes('/') ? `./${path}` : path;
}

function withoutEntering(words: readonly string[]): readonly string[] {
  const [cd, folder, next, ...rest] = words;
  return cd === 'cd' && folder === '.' && (next === '&&' || next === ';' || next === '\n') ? rest : words;
}
