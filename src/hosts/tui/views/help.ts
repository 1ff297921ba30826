import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine} from '../cells/wrap-line.ts';
import type {ScreenState} from '../model/screen-state.ts';

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Enter', 'send; while a turn runs: queue'],
  ['Ctrl-S', 'send into the running turn'],
  ['Shift-Enter, Ctrl-J', 'new line'],
  ['Up, Down', 'earlier prompts; with a queue: choose an entry'],
  ['Ctrl-R', 'search earlier prompts'],
  ['Ctrl-O', 'the whole conversation, with the output of every call'],
  ['Ctrl-T', 'show or hide the task list'],
  ['Shift-Tab', 'next permission mode'],
  ['Ctrl-G', 'write in $EDITOR'],
  ['Ctrl-C', 'cancel the turn; clear the line; twice: leave'],
  ['Ctrl-D', 'leave, on an empty line'],
  ['Ctrl-L', 'draw the screen again'],
  ['Ctrl-Z', 'suspend'],
  ['@', 'files, folders, symbols (@#), resources (@server:)'],
  ['@/', 'search what is in files'],
  ['Ctrl-V', 'attach the picture in the clipboard'],
  ['!', 'run a line of the shell'],
  ['#', 'add a line to the instructions of the project, or to yours'],
];

/** Keys and commands, each with what it does. */
export function helpLines({commands, size}: ScreenState): readonly Line[] {
  const keys = KEYS.map(([name, does]): Line => [span(`  ${name.padEnd(22)}`, 'accent'), span(does)]);
  const named = commands.map(({name, hint, description}): Line => {
    const usage = hint === undefined ? `/${name}` : `/${name} ${hint}`;
    return [span(`  ${shownRow(usage).padEnd(22)} `, 'accent'), span(shownRow(description))];
  });
  const lines: Line[] = [[span('Keys', 'heading'), span('  Esc leaves', 'dim')], ...keys, [], [span('Commands', 'heading')], ...named];
  return lines.map((line) => cutLine(line, size.columns));
}
