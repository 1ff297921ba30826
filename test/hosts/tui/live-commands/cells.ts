import type {CellRun, LiveCommand, ScreenCells} from '../../../../src/protocol/live-command.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';

export const run = (text: string, look?: CellRun['look']): CellRun => ({text, columns: text.length, ...(look === undefined ? {} : {look})});

/** A screen with these rows of plain text, or of runs. */
export function cells(rows: readonly (string | readonly CellRun[])[], given: Partial<ScreenCells> = {}): ScreenCells {
  return {
    columns: 40,
    rows: 12,
    lines: rows.map((row) => (typeof row !== 'string' ? row : row === '' ? [] : [run(row)])),
    cursor: undefined,
    title: '',
    applicationKeys: false,
    bracketedPaste: false,
    ...given,
  };
}

export const numbered = (count: number): readonly string[] => Array.from({length: count}, (_, at) => `row ${at + 1}`);

export const command = (given: Partial<LiveCommand> = {}): LiveCommand => ({
  id: 't1',
  command: 'less README.md',
  pid: 7,
  isInteractive: true,
  isKept: false,
  ageMs: 5000,
  calls: [],
  ...given,
});

export const background = (...commands: readonly LiveCommand[]): Action => ({type: 'background', commands});
export const screen = (rows: Parameters<typeof cells>[0], given: Partial<ScreenCells> = {}, id = 't1'): Action => ({
  type: 'live',
  id,
  content: {type: 'screen', screen: cells(rows, given)},
});
export const output = (text: string, id = 's1', isCut = false): Action => ({type: 'live', id, content: {type: 'output', text, isCut}});
