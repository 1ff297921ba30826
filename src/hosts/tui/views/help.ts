import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine} from '../cells/wrap-line.ts';
import {editActionOf, KEY_ACTIONS, type KeyAction} from '../model/key-actions.ts';
import {shownKey} from '../model/key-name.ts';
import type {Keymap} from '../model/keymap.ts';
import type {ScreenState} from '../model/screen-state.ts';

type Row = readonly [name: string, does: string];

/** Beginnings of a text that are no keys. */
const MARKS: readonly Row[] = [
  ['@', 'files and folders'],
  ['!', 'run a line of the shell'],
  ['#', 'add a line to the instructions of the project, or to yours'],
];

/** The keys as they are bound, and the commands, each with what it does. */
export function helpLines({commands, keymap, size}: Pick<ScreenState, 'commands' | 'keymap' | 'size'>): readonly Line[] {
  const {session = [], editing = []} = Object.groupBy(keyRows(keymap), ([action]) => (isEditing(action) ? 'editing' : 'session'));
  const named = commands.map(({name, hint, description}): Row => [hint === undefined ? `/${name}` : `/${name} ${hint}`, description]);
  const lines: readonly Line[] = [
    [span('Keys', 'heading'), span('  Esc leaves', 'dim')],
    ...rowLines([...session.map(([, row]) => row), ...MARKS]),
    [],
    [span('Commands', 'heading')],
    ...rowLines(named),
    [],
    [span('Editing', 'heading')],
    ...rowLines(editing.map(([, row]) => row)),
  ];
  return lines.map((line) => cutLine(line, size.columns));
}

function rowLines(rows: readonly Row[]): readonly Line[] {
  return rows.map(([name, does]) => [span(`  ${shownRow(name).padEnd(NAME_WIDTH)} `, 'accent'), span(shownRow(does))]);
}

/** Actions without a key are left out. */
function keyRows(keymap: Keymap): readonly (readonly [KeyAction, Row])[] {
  const keys = Map.groupBy(keymap, ([, action]) => action);
  return (Object.keys(KEY_ACTIONS) as readonly KeyAction[]).flatMap((action) => {
    const [first, second] = keys.get(action)?.map(([key]) => shownKey(key)) ?? [];
    if (first === undefined) return [];
    const both = second === undefined ? first : `${first}, ${second}`;
    return [[action, [both.length > NAME_WIDTH ? first : both, KEY_ACTIONS[action].does]] as const];
  });
}

/** What readline has as well; new lines and earlier prompts are told with the keys of the session. */
function isEditing(action: KeyAction): boolean {
  const edit = editActionOf(action, 1);
  return edit !== undefined && edit.type !== 'vertical' && edit.type !== 'insert';
}

const NAME_WIDTH = 22;
