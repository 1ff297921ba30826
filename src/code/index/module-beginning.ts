import type {Position} from '../symbol.ts';

/** Where the code of a module begins: its first word, behind blanks, comments and `#!`. The beginning of the text where it has no code. */
export function moduleBeginning(text: string): Position {
  const start = CODE.exec(text)?.[0].length ?? 0;
  if (start >= text.length) return {line: 0, character: 0};
  const before = text.slice(0, start).split('\n');
  return {line: before.length - 1, character: (before.at(-1) ?? '').length};
}

/** Comments of JavaScript and its kin. */
const CODE = /^\uFEFF?(?:#!.*)?(?:\s+|\/\/.*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/u;
