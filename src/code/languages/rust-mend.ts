import {blanks} from './blanks.ts';

/** Macros that give out the declarations they are given: those of features (`cfg_net!`), and of libraries that nearly everyone uses. */
const NAMES = /^[ \t]*(?:\w+::)*(?<name>cfg_(?!if\b)\w+|pin_project(?:_lite)?|lazy_static|thread_local)!\s*\{/u;

/** Whether such a macro stands on a line of its own: what is in it the grammar leaves as words. */
export const MISREAD_RUST = new RegExp(NAMES.source, 'mu');

/** Rust without the macros around declarations; every character keeps its place. */
export function mendRust(text: string): string {
  const open: {isMacro: boolean; isStatics: boolean}[] = [];
  let rewritten = '';
  let last = 0;
  for (const {0: piece, index, groups = {}} of text.matchAll(PIECES)) {
    const {head, name} = groups;
    const isStatics = open.at(-1)?.isStatics === true;
    let own = piece;
    if (head !== undefined) open.push({isMacro: true, isStatics: name === 'lazy_static'});
    else if (piece === '{') open.push({isMacro: false, isStatics: false});
    if (head !== undefined || (piece === '}' && open.pop()?.isMacro === true) || (isStatics && piece === 'ref')) own = blanks(piece);
    rewritten += text.slice(last, index) + own;
    last = index + piece.length;
  }
  return rewritten + text.slice(last);
}

/** Comments, strings and characters are found, so that no bracket within them is one. */
const PIECES = new RegExp(
  [
    /\/\/[^\n]*/,
    /\/\*(?:[^]*?\*\/|[^]*)/,
    /\bb?r(?<marks>#*)"[^]*?"\k<marks>/,
    /"(?:[^"\\]|\\[^])*"/,
    /'(?:[^'\\\n]|\\(?:[^u]|u\{\w+\}))'/,
    new RegExp(`(?<head>${NAMES.source})`),
    /[{}]/,
    /(?<=\bstatic\s+)ref\b/,
  ]
    .map(({source}) => source)
    .join('|'),
  'gmu',
);
