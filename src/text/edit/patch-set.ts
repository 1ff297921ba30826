import {FettleError} from '../../base/errors.ts';
import {findAll, withoutOverlaps} from './find-all.ts';
import {plainBreaks, toEnding} from '../line-endings.ts';
import {missingText} from './no-match-error.ts';
import {lineNumbers, repeatedText} from './not-unique-error.ts';
import {ownEnding, replaceRanges, type Replacement} from './replace-ranges.ts';

export interface Patch {
  /**
   * Must occur in the text exactly like this; only a line break matches any line ending. Empty, for a patch that is alone: the start of
   * `startLine`, else of the file.
   */
  readonly oldText: string;
  readonly newText: string;
  /** 1-based, both included: which of several equal texts is meant, the one on these lines or nearest to them. */
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  /** True: every place is meant. */
  readonly replaceAll?: boolean | undefined;
}

/**
 * Replaces several texts, each found in the text as it is, so that no patch sees another ("zblade tool calls › apply_patch").
 * @throws FettleError that lists all problems together: NOT_FOUND (with the nearest match), NOT_UNIQUE, BAD_ARGS (overlapping patches, an
 *   empty old text beside others, no patch).
 */
export function applyPatchSet(text: string, patches: readonly Patch[]): {readonly text: string} {
  if (patches.length === 0) throw new FettleError(NO_PATCH);
  const plain = plainBreaks(text);
  const problems: Problem[] = [];
  const places: Place[] = [];
  for (const [index, patch] of patches.entries()) {
    const found = placesOf(plain.text, patch, patches.length === 1);
    if (found instanceof FettleError) problems.push({index, error: found});
    else for (const place of found) places.push({index, ...place});
  }
  places.sort((left, right) => left.start - right.start || left.end - right.end);
  problems.push(...overlaps(places));
  if (problems.length > 0) throw allProblems(problems, patches.length);
  return {text: replaceRanges(text, plain, places)};
}

interface Problem {
  readonly index: number;
  readonly error: FettleError;
}

interface Place extends Replacement {
  readonly index: number;
}

function placesOf(plain: string, patch: Patch, alone: boolean): readonly Replacement[] | FettleError {
  const wanted = toEnding(patch.oldText, '\n');
  if (wanted === '' && !alone) return new FettleError(EMPTY_OLD_TEXT);
  if (wanted === '') return insertion(plain, patch);
  const starts = offsetsOf(plain, wanted, patch);
  if (starts instanceof FettleError) return starts;
  const replacement = {newPlain: toEnding(patch.newText, '\n'), ownEnding: ownEnding(patch.newText)};
  return starts.map((start) => ({start, end: start + wanted.length, ...replacement}));
}

function insertion(plain: string, {newText, startLine = 1}: Patch): readonly Replacement[] | FettleError {
  const newPlain = toEnding(newText, '\n');
  const starts = [0, ...Array.from(plain.matchAll(/\n/g), ({index}) => index + 1)];
  const start = starts[Math.max(0, startLine - 1)];
  const place = {newPlain, ownEnding: ownEnding(newText)};
  if (start !== undefined) return [{start, end: start, ...place}];
  const lines = starts.length;
  if (startLine > lines + 1)
    return new FettleError({code: 'BAD_ARGS', message: `There is no line ${startLine}: the file has ${lines} lines.`});
  // The last line has no end of its own, and keeps none: it goes to the new last line.
  return [{start: plain.length, end: plain.length, ...place, newPlain: `\n${newPlain.replace(/\n$/, '')}`}];
}

function offsetsOf(plain: string, wanted: string, patch: Patch): readonly number[] | FettleError {
  if (patch.replaceAll !== true) {
    const offset = offsetOf(plain, wanted, patch);
    return offset instanceof FettleError ? offset : [offset];
  }
  const found = findAll(plain, wanted);
  return found.length === 0 ? missingText(plain, wanted) : withoutOverlaps(found, wanted.length);
}

function offsetOf(plain: string, wanted: string, {startLine, endLine}: Patch): number | FettleError {
  const found = findAll(plain, wanted);
  const [only] = found;
  if (only === undefined) return missingText(plain, wanted);
  if (found.length === 1) return only;
  const first = startLine ?? endLine;
  if (first === undefined) return repeatedText(plain, found);
  const height = wanted.replace(/\n$/, '').split('\n').length;
  const hint = {first, last: Math.max(first, endLine ?? first), height};
  return nearest(plain, found, hint) ?? repeatedText(plain, found);
}

interface LineHint {
  readonly first: number;
  readonly last: number;
  /** Lines of the old text. */
  readonly height: number;
}

/** The occurrence on the lines of the hint, else the nearest to them; of several there the one that begins nearest to the first line. */
function nearest(plain: string, found: readonly number[], {first, last, height}: LineHint): number | undefined {
  const lines = lineNumbers(plain, found);
  const ranked = found
    .map((offset, index) => {
      const line = lines[index] ?? 0;
      const gap = Math.max(0, line - last, first - (line + height - 1));
      return {offset, gap, shift: Math.abs(line - first)};
    })
    .sort((left, right) => left.gap - right.gap || left.shift - right.shift);
  const [best, second] = ranked;
  const tie = best !== undefined && best.gap === second?.gap && best.shift === second.shift;
  return tie ? undefined : best?.offset;
}

function overlaps(places: readonly Place[]): Problem[] {
  return places.flatMap((place, at) => {
    const before = places[at - 1];
    if (before === undefined || place.start >= before.end) return [];
    const message = `It overlaps with patch ${before.index + 1}.`;
    return [{index: place.index, error: new FettleError({code: 'BAD_ARGS', message, hint: 'Combine both into one patch.'})}];
  });
}

function allProblems(problems: readonly Problem[], count: number): FettleError {
  const [first] = problems;
  if (first !== undefined && count === 1) return first.error;
  const sorted = problems.toSorted((left, right) => left.index - right.index);
  const listed = sorted.map(({index, error}, at) => {
    const hint = at < MAX_EXPLAINED && error.hint !== undefined ? `\n${error.hint}` : '';
    return `Patch ${index + 1}: ${error.message.replace(NOTHING_CHANGED, '')}${hint}`;
  });
  return new FettleError({
    code: sorted[0]?.error.code ?? 'BAD_ARGS',
    message: `${problems.length} of ${count} patches do not fit the file. Nothing was changed.`,
    hint: listed.join('\n'),
  });
}

const MAX_EXPLAINED = 5;
const NOTHING_CHANGED = / Nothing was changed\.$/;

const NO_PATCH = {code: 'BAD_ARGS', message: 'No patch was given.', hint: 'Give at least one old text with its new text.'} as const;

const EMPTY_OLD_TEXT = {
  code: 'BAD_ARGS',
  message: 'The old text is empty.',
  hint: 'With other patches it must name the text to replace; alone it means the start of the file.',
} as const;
