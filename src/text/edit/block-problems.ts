import {FettleError} from '../../base/errors.ts';
import {displayText} from '../encoding.ts';
import {missingText} from './no-match-error.ts';

/** A block that could not be applied. */
export interface BlockProblem {
  /** 1-based. */
  readonly number: number;
  /** Line of its first marker in the content. */
  readonly line: number;
  readonly code: 'NOT_FOUND' | 'NOT_UNIQUE';
  /** A sentence without its subject: "occurs in 3 places …". */
  readonly what: string;
  /** For NOT_FOUND: the text that was searched for. */
  readonly search: readonly string[];
}

/** One error for all blocks that failed: where their first line occurs, the nearest match, and what to do. Bounded in time and size. */
export function blockProblems(plain: string, problems: readonly BlockProblem[], count: number): FettleError {
  const listed = problems.map((problem, at) => {
    const head = `Block ${problem.number} (line ${problem.line} of the content): the SEARCH text ${problem.what}.`;
    if (at >= MAX_EXPLAINED || problem.code !== 'NOT_FOUND') return head;
    const near = missingText(plain, problem.search.join('\n')).hint ?? '';
    return [head, ...areas(plain, problem.search), near].join('\n');
  });
  return new FettleError({
    code: problems[0]?.code ?? 'NOT_FOUND',
    message: `${problems.length} of ${count} blocks could not be applied. Nothing was changed.`,
    hint: [...listed, TIPS].join('\n'),
  });
}

const MAX_EXPLAINED = 4;
const MAX_AREAS = 3;
const AROUND = 5;
const MAX_COLUMNS = 160;

const TIPS =
  'SEARCH must match exactly: blanks, indentation, upper and lower case. Later blocks see what earlier ones have changed. ' +
  'Read the file again and copy the lines from there.';

/** Shows the places where the first line of the SEARCH text occurs by itself, with context lines. */
function areas(plain: string, search: readonly string[]): string[] {
  const first = search.find((line) => line.trim() !== '')?.trim() ?? '';
  if (search.length < 2 || first === '') return [];
  const lines = plain.split('\n');
  const found: number[] = [];
  for (let at = 0; at < lines.length && found.length < MAX_AREAS; at++) if (lines[at]?.includes(first) === true) found.push(at);
  return found.map((at) => {
    const start = Math.max(0, at - AROUND);
    const rows = lines.slice(start, at + AROUND + 1).map((line, index) => {
      const number = start + index + 1;
      return `${number === at + 1 ? '>>>' : '   '} ${number}: ${displayText(line.slice(0, MAX_COLUMNS))}`;
    });
    return [`Its first line is on line ${at + 1}:`, ...rows].join('\n');
  });
}
