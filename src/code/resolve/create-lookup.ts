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
  answer: unknown;
  /** How deep the open question lies that it was cut short by; `WHOLE` for none. While it is open itself: how deep it lies. */
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
  const known = new Map<string, Answer>();
  /** Those that are answered, but not whole. */
  const cut: string[] = [];
  let [depth, steps, lowest] = [0, 0, WHOLE];

  /** `from`: what was cut before it was asked. */
  function settle(question: string, asked: Answer, {answer, from}: {readonly answer: unknown; readonly from: number}): void {
    const isLost = lowest === GIVEN_UP || (answer !== undefined && lowest !== WHOLE);
    if (lowest >= depth) lowest = WHOLE; // it was cut by itself alone
    if (isLost) {
      known.delete(question);
      for (const inner of cut.splice(from)) known.delete(inner);
      return;
    }
    for (let at = from; at < cut.length; at++) {
      const inner = known.get(cut[at] ?? '');
      if (inner !== undefined && inner.lowest >= depth) inner.lowest = lowest;
    }
    if (lowest === WHOLE) cut.length = from;
    else cut.push(question);
    asked.answer = answer;
    asked.lowest = lowest;
  }

  return {
    once<T>(question: string, ask: () => T | undefined): T | undefined {
      const before = known.get(question);
      if (before !== undefined) {
        lowest = Math.min(lowest, before.lowest);
        return before.answer as T | undefined;
      }
      if (depth === 0) [steps, lowest] = [0, WHOLE];
      if (depth > DEEPEST || ++steps > MOST_STEPS) {
        lowest = GIVEN_UP;
        return undefined;
      }
      if (depth === 0 && known.size > MOST_KEPT) known.clear();
      const [outer, from] = [lowest, cut.length];
      const asked: Answer = {answer: undefined, lowest: depth};
      known.set(question, asked);
      lowest = WHOLE;
      depth++;
      const answer = ask();
      depth--;
      settle(question, asked, {answer, from});
      lowest = Math.min(lowest, outer);
      return answer;
    },
  };
}

/** No honest chain of names is longer. */
const DEEPEST = 64;
/** And none needs more questions: one name takes some ten, and a repository that wants more would stop the index. */
const MOST_STEPS = 2000;
/** About 200 bytes each. */
const MOST_KEPT = 20_000;
