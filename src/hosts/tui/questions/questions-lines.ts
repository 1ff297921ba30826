import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import {layoutEditor} from '../editor/layout-editor.ts';
import type {QuestionsDialog, ScreenState} from '../model/screen-state.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import {plainLines} from '../views/plain-lines.ts';

/** The questions of the model as tabs: the options of the open one, and a line for an answer of one's own. */
export function questionLines({size}: ScreenState, dialog: QuestionsDialog, rows: number): CursorLines {
  const {columns} = size;
  const {questions, tab, at, chosen, writing} = dialog;
  const question = questions[tab];
  if (question === undefined) return {lines: [], cursor: undefined};
  const tabs: Line = questions.flatMap(({header}, index) => {
    const isDone = (chosen[index] ?? []).length > 0;
    const label = `${isDone ? '✓ ' : ''}${shownRow(header)}`;
    return [span(index === tab ? `[${label}]` : ` ${label} `, index === tab ? 'accent' : 'dim'), span(' ')];
  });
  const cursorAt = at[tab] ?? 0;
  const options = [...question.options, OTHER].map(({label, description}, index): readonly Line[] => {
    const isChosen = (chosen[tab] ?? []).includes(label);
    const mark = question.multiple ? (isChosen ? '[x] ' : '[ ] ') : isChosen ? '(•) ' : '( ) ';
    const isHere = index === cursorAt;
    const name = shownRow(label);
    const line: Line = [span(isHere ? '▸ ' : '  ', 'accent'), span(mark), isHere ? span(name, 'selected') : span(name)];
    return wrapLine(description === '' ? line : [...line, span(`  ${shownRow(description)}`, 'dim')], columns, [span('      ')]);
  });
  const written =
    writing === undefined ? undefined : layoutEditor(writing, {width: columns, maxRows: 3, prompt: [span('answer: ', 'user')]});
  const hint = question.multiple ? 'Space marks, Enter goes on, Esc leaves' : 'Enter chooses, Esc leaves';
  const head = [...(questions.length > 1 ? [tabs] : []), ...plainLines(question.question, {width: columns, style: ['bold']})];
  const foot: Line[] = written === undefined ? [[span(hint, 'dim')]] : [...written.lines];
  const lines = fitted({head, options, cursorAt, foot}, rows).map((line) => cutLine(line, columns));
  const cursor =
    written === undefined ? undefined : {row: lines.length - written.lines.length + written.cursor.row, column: written.cursor.column};
  return {lines, cursor};
}

interface QuestionParts {
  readonly head: readonly Line[];
  /** The rows of each. */
  readonly options: readonly (readonly Line[])[];
  readonly cursorAt: number;
  readonly foot: readonly Line[];
}

/** Cuts the lines to the rows; the option under the cursor, the beginning of the question and the text being written stay visible. */
function fitted({head, options, cursorAt, foot}: QuestionParts, rows: number): readonly Line[] {
  const all = options.flat();
  if (head.length + all.length + foot.length <= rows) return [...head, ...all, ...foot];
  const kept = foot.slice(0, Math.max(0, rows - 2));
  const room = rows - kept.length;
  const asked = head.slice(0, Math.max(1, Math.min(head.length, room - Math.min(all.length, Math.ceil(room / 2)))));
  const left = Math.max(0, room - asked.length);
  const here = options.slice(0, cursorAt).flat().length;
  const last = here + (options[cursorAt]?.length ?? 0);
  // One option is shown in full if possible, with as many before it as fit.
  const first = Math.min(here, Math.max(0, last - left));
  return [...asked, ...all.slice(first, first + left), ...kept];
}

/** Behind the options: an answer in the person's own words. */
const OTHER = {label: 'Something else', description: ''};
