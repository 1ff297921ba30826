import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import {layoutEditor} from '../editor/layout-editor.ts';
import type {QuestionsDialog, ScreenState} from '../model/screen-state.ts';
import type {BottomLines} from './bottom-lines.ts';
import {plainLines} from './plain-lines.ts';

/** The questions of the model as tabs: the options of the open one, and a line for an answer of one's own. */
export function questionLines({size}: ScreenState, dialog: QuestionsDialog, rows: number): BottomLines {
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
  const options = [...question.options, OTHER].flatMap(({label, description}, index): readonly Line[] => {
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
  const lines = [...head, ...options, ...foot].map((line) => cutLine(line, columns));
  const kept = lines.length <= rows ? lines : [...lines.slice(0, 1), ...lines.slice(1 + lines.length - rows)];
  const cursor =
    written === undefined ? undefined : {row: kept.length - written.lines.length + written.cursor.row, column: written.cursor.column};
  return {lines: kept, cursor};
}

/** Behind the options: an answer in the person's own words. */
const OTHER = {label: 'Something else', description: ''};
