import {splitOutside} from '../resolve/split-words.ts';

/**
 * Whether a type, in words (`type-words.ts`), has any key that an object is given, so that the key declares itself: a record, a type parameter
 * that nothing bounds, what a call of a well-known function takes.
 */
export function isFree(words: string): boolean {
  if (/^%[\w$]+$/u.test(words)) return true;
  const generic = /^([A-Z]\w+)<(.*)>$/su.exec(words);
  if (generic !== null && splitOutside(words, '|&').length === 1)
    return generic[1] === 'Record' || (SAME.has(generic[1] ?? '') && isFree(generic[2] ?? ''));
  const callee = /^typeof (.*)\^\d+$/su.exec(words)?.[1];
  return callee !== undefined && isFreeCall(callee);
}

/** `JSON.stringify`, `expect(x).toEqual`, `z.object`: functions that take objects of any kind. */
export function isFreeCall(callee: string): boolean {
  return GLOBAL.test(callee) || LIBRARY.test(callee);
}

/** `list.map`, `promise.then`: what their function gives may be anything. */
export function isFreeResult(callee: string): boolean {
  return /\.(?:map|flatMap|then|reduce|from)$/u.test(callee);
}

const SAME: ReadonlySet<string> = new Set(['Readonly', 'Partial', 'Required', 'Promise', 'ReadonlyArray', 'Array']);
const GLOBAL =
  /^(?:JSON\.stringify|Object\.(?:assign|entries|keys|values|freeze|fromEntries|seal)|Promise\.resolve|structuredClone|console\.\w+|expect)$/u;
/** Matchers of tests, schemas of objects. */
const LIBRARY = /\.(?:to(?:Be|Have|Equal|Strict|Match|Contain|Throw|Return)\w*|(?:object|array)Containing|(?:strict|loose)?[oO]bject)$/u;
