import {cellWidth} from '../cells/cell-width.ts';
import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import {editActionOf, KEY_ACTIONS, type KeyAction} from '../keys/key-actions.ts';
import {shownKey} from '../keys/key-name.ts';
import type {Keymap} from '../keys/keymap.ts';
import type {ScreenState} from '../model/screen-state.ts';

type Row = readonly [name: string, does: string];

/** Beginnings of a text that are not keys. */
const MARKS: readonly Row[] = [
  ['@', 'files, folders, symbols (@#), resources (@server:)'],
  ['@/', 'search the contents of files'],
  ['!', 'run a shell command'],
  ['#', 'add a line to the instructions of the project, or to your own'],
];

/** The current key bindings, and the commands, each with its description. */
export function helpLines({commands, keymap, size: {columns}}: Pick<ScreenState, 'commands' | 'keymap' | 'size'>): readonly Line[] {
  const {session = [], editing = []} = Object.groupBy(keyRows(keymap), ([action]) => (isEditing(action) ? 'editing' : 'session'));
  const named = commands.map(({name, hint, description}): Row => [hint === undefined ? `/${name}` : `/${name} ${hint}`, description]);
  const rows = (all: readonly Row[]): readonly Line[] => all.flatMap((row) => helpRow(row, columns));
  return [
    cutLine([span('Keys', 'heading'), span('  Esc leaves', 'dim')], columns),
    ...rows([...session.map(([, row]) => row), ...MARKS]),
    [],
    [span('Commands', 'heading')],
    ...rows(named),
    [],
    [span('Editing', 'heading')],
    ...rows(editing.map(([, row]) => row)),
  ];
}

/** The meaning is in a column of its own, or below the name if that is too long or the screen too narrow. */
function helpRow([name, does]: Row, columns: number): readonly Line[] {
  const isNarrow = columns < NAME_COLUMNS + LEAST_TEXT;
  const indent = span(' '.repeat(isNarrow ? 4 : NAME_COLUMNS));
  const front = span(`  ${shownRow(name)}`, 'accent');
  const gap = NAME_COLUMNS - 2 - cellWidth(shownRow(name));
  if (!isNarrow && gap > 0) return wrapLine([front, span(' '.repeat(gap)), span(shownRow(does))], columns, [indent]);
  return [...wrapLine([front], columns, [indent]), ...wrapLine([indent, span(shownRow(does))], columns, [indent])];
}

const NAME_COLUMNS = 25;
const LEAST_TEXT = 20;

/** Actions without a key are left out. */
function keyRows(keymap: Keymap): readonly (readonly [KeyAction, Row])[] {
  const keys = Map.groupBy(keymap, ([, action]) => action);
  return (Object.keys(KEY_ACTIONS) as readonly KeyAction[]).flatMap((action) => {
    const [first, second] = keys.get(action)?.map(([key]) => shownKey(key)) ?? [];
    if (first === undefined) return [];
    const both = second === undefined ? first : `${first}, ${second}`;
    return [[action, [both.length > NAME_COLUMNS - 3 ? first : both, KEY_ACTIONS[action].does]] as const];
  });
}

/** True for editing keys that readline has, too; new lines and earlier prompts are listed with the keys of the session. */
function isEditing(action: KeyAction): boolean {
  const edit = editActionOf(action, 1);
  return edit !== undefined && edit.type !== 'vertical' && edit.type !== 'insert';
}
