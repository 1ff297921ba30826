import type {CodeBase, Lookup} from './code-base.ts';
import {chainMeaning} from './chain-meaning.ts';
import {exportedName} from './exported-name.ts';
import {importedName} from './imported-name.ts';
import {memberOf} from './member.ts';
import {typeMeaning} from './type-meaning.ts';
import {visibleName} from './visible-name.ts';

/** Puts the parts of resolving together, for the names of one file: what was answered is kept as long as it is. */
export function createLookup(base: CodeBase): Lookup {
  const {once} = createAnswers();
  const lookup: Lookup = {
    base,
    name: (at) => visibleName(lookup, at),
    exported: (file, name) => exportedName(lookup, file, name),
    imported: (fact, from) => importedName(lookup, fact, from),
    member: (of, name) => memberOf(lookup, of, name),
    chain: (at) => chainMeaning(lookup, at),
    type: (at) => typeMeaning(lookup, at),
    once,
  };
  return lookup;
}

interface Answer {
  readonly answer: unknown;
  /** How deep the open question lies that it was cut short by; `WHOLE` for none. */
  lowest: number;
}

const WHOLE = Infinity;
/** Cut short by a limit: not to be kept, nor what was made of it. */
const GIVEN_UP = -1;

/**
 * Questions that are answered once. One that is asked while it is being answered is answered with nothing: names may go in circles. Answers that
 * were cut short so are not kept. That there is none is kept while the question that cut it is open, and stays where that has none either.
 */
function createAnswers(): Pick<Lookup, 'once'> {
  const open = new Map<string, number>();
  const kept = new Map<string, Answer>();
  /** Those of `kept` that are not whole. */
  const cut: string[] = [];
  let [steps, lowest] = [0, WHOLE];

  function settle(question: string, found: {answer: unknown; depth: number; from: number}): void {
    const {answer, depth, from} = found;
    const isLost = lowest === GIVEN_UP || (answer !== undefined && lowest !== WHOLE);
    if (lowest >= depth) lowest = WHOLE; // it was cut by itself alone
    if (isLost) {
      for (const inner of cut.splice(from)) kept.delete(inner);
      return;
    }
    for (let at = from; at < cut.length; at++) {
      const inner = kept.get(cut[at] ?? '');
      if (inner !== undefined && inner.lowest >= depth) inner.lowest = lowest;
    }
    if (lowest === WHOLE) cut.length = from;
    else cut.push(question);
    kept.set(question, {answer, lowest});
  }

  return {
    once<T>(question: string, ask: () => T | undefined): T | undefined {
      const before = kept.get(question);
      const around = before?.lowest ?? open.get(question);
      if (around !== undefined) {
        lowest = Math.min(lowest, around);
        return before?.answer as T | undefined;
      }
      if (open.size === 0) [steps, lowest] = [0, WHOLE];
      if (open.size > DEEPEST || ++steps > MOST_STEPS) {
        lowest = GIVEN_UP;
        return undefined;
      }
      if (open.size === 0 && kept.size > MOST_KEPT) kept.clear();
      const [depth, outer, from] = [open.size, lowest, cut.length];
      open.set(question, depth);
      lowest = WHOLE;
      try {
        const answer = ask();
        settle(question, {answer, depth, from});
        return answer;
      } finally {
        open.delete(question);
        lowest = Math.min(lowest, outer);
      }
    },
  };
}

/** No honest chain of names is longer. */
const DEEPEST = 64;
/** And none needs more questions: one name takes some ten, and a repository that wants more would stop the index. */
const MOST_STEPS = 2000;
/** About 200 bytes each. */
const MOST_KEPT = 20_000;
