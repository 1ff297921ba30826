import {counted} from '../../../base/counted.ts';
import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import type {ScreenState} from '../model/screen-state.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import {plainLines} from '../views/plain-lines.ts';
import {windowedRows} from '../views/windowed-rows.ts';
import {chosenEntry, TRUST_CHOICES, type TrustDialog} from './trust-dialog.ts';
import type {TrustItem, TrustQuestion} from './trust-question.ts';

/** Lists what the project would run or load, above the answers. On a low screen, the answers are on one row. */
export function trustLines({size}: ScreenState, dialog: TrustDialog, rows: number): CursorLines {
  const {columns} = size;
  const {question} = dialog;
  const title: Line = [span('Trust this project?', 'warning', 'bold'), span(` ${shownRow(question.folder)}`)];
  const head = [
    ...(rows < TALL ? [cutLine(title, columns)] : wrapLine(title, columns)),
    ...(rows < MIDDLE ? [] : plainLines(summary(question), {width: columns, style: ['dim']})),
  ];
  const foot = [
    ...(rows < TALL ? [] : [[]]),
    ...(rows < MIDDLE ? [oneAnswer(dialog)] : answers(dialog)),
    ...(rows < TALL ? [] : [[span('Up, Down choose · Enter opens or answers · Esc goes on without it', 'dim')]]),
  ];
  const room = rows - head.length - foot.length;
  const list = room < 1 ? [] : listRows(dialog, {columns, room});
  const lines = [...head, ...list, ...foot].map((line) => cutLine(line, columns));
  return {lines: [...lines.slice(0, 1), ...lines.slice(1).slice(-Math.max(1, rows - 1))].slice(0, Math.max(1, rows)), cursor: undefined};
}

const TALL = 14;
const MIDDLE = 10;

function summary({isChange, entries}: TrustQuestion): string {
  if (!isChange) return `It would run, load or tell the model ${counted(entries.length, 'thing')}. Nothing of it is used yet.`;
  const counts = (['new', 'changed', 'gone'] as const).flatMap((change) => {
    const count = entries.filter((entry) => entry.change === change).length;
    return count === 0 ? [] : [`${count} ${change}`];
  });
  return `Changed since you trusted it: ${counts.join(', ')}. Nothing of it is used until you say so.`;
}

/** The part of the list with the selected entry; while an answer is selected, its end, which lists the code that would run. */
function listRows(dialog: TrustDialog, {columns, room}: {readonly columns: number; readonly room: number}): readonly Line[] {
  const {question, at} = dialog;
  const problems = question.problems.flatMap((text) => wrapLine([span(`  never used: ${shownRow(text)}`, 'dim')], columns, [span('    ')]));
  const blocks = question.entries.map((entry, index) => entryRows(entry, {index, isChosen: index === at, columns}));
  const before = problems.length + blocks.slice(0, at).reduce((sum, block) => sum + block.length, 0);
  const first = chosenEntry(dialog) === undefined ? Number.MAX_SAFE_INTEGER : Math.max(0, before - Math.floor(room / 3));
  return windowedRows([...problems, ...blocks.flat()], {first, room, columns});
}

interface Shown {
  readonly index: number;
  readonly isChosen: boolean;
  readonly columns: number;
}

function entryRows({path, change, does}: TrustItem, {index, isChosen, columns}: Shown): readonly Line[] {
  const name = shownRow(path);
  const head: Line = [
    span(isChosen ? '▸ ' : '  ', 'accent'),
    span(`${index + 1}. `, 'dim'),
    ...(change === undefined ? [] : [span(`${change} `, CHANGE_STYLES[change])]),
    isChosen ? span(name, 'selected') : span(name, 'bold'),
  ];
  const about = does.map((text) => withoutPath(shownRow(text), name));
  const indent = [span('     ')];
  return [...wrapLine(head, columns, indent), ...about.flatMap((text) => wrapLine([...indent, span(text)], columns, indent))];
}

const CHANGE_STYLES = {new: 'added', changed: 'warning', gone: 'removed'} as const;

/** The path is shown above. */
function withoutPath(text: string, path: string): string {
  if (text.startsWith(`${path}: `)) return text.slice(path.length + 2);
  const at = text.indexOf(` ${path}: `);
  return at < 0 ? text : `${text.slice(0, at)}: ${text.slice(at + path.length + 3)}`;
}

function answers({question, at}: TrustDialog): readonly Line[] {
  return TRUST_CHOICES.map(({label}, index) => {
    const isChosen = index === at - question.entries.length;
    return [span(isChosen ? '▸ ' : '  ', 'accent'), isChosen ? span(label, 'selected') : span(label)];
  });
}

function oneAnswer({question, at}: TrustDialog): Line {
  const index = at - question.entries.length;
  const isChosen = index >= 0;
  const {label = ''} = TRUST_CHOICES[Math.max(0, index)] ?? {};
  return [
    span(isChosen ? '▸ ' : '  ', 'accent'),
    span(`${Math.max(0, index) + 1}/${TRUST_CHOICES.length} `, 'dim'),
    isChosen ? span(label, 'selected') : span(label, 'dim'),
  ];
}
