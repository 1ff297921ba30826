import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {workLine} from '../../../../src/hosts/tui/views/activity-line.ts';

const {keymap} = createKeymap();
const idle = initialState({size: {columns: 80, rows: 24}, now: 0, appName: 'Fettle', folder: 'a', root: '/a', keymap});
const question = {id: 'q', tool: 'bash', reason: '', subject: [], diffs: [], rules: []};
const asked: ScreenState['dialogs'] = [{type: 'approval', id: 'q', question, choice: 0, scroll: 0}];
const work = {startedAt: 0, heardAt: 0, isCancelling: false, what: 'turn'} as const;

const call = {
  kind: 'tool',
  id: 't',
  callId: 'c',
  tool: 'bash',
  arguments: '{}',
  state: 'running',
  startedAt: 0,
  output: '',
} as const;

describe('workLine', () => {
  it.each<[string, Partial<ScreenState>, string | undefined]>([
    ['nothing runs', {}, undefined],
    ['a turn', {work, now: 9000}, 'Working · 9 s · Ctrl-C cancels'],
    ['a stall after ten seconds', {work, now: 12_000}, 'No data for 12 s · Alt-R retries · Ctrl-C cancels'],
    ['a stall on a narrow screen', {work, now: 12_000, size: {columns: 40, rows: 10}}, 'Silent 12 s · Alt-R retries · Ctrl-C'],
    ['a silent call is not retried', {work, now: 12_000, entries: [call]}, 'No data for 12 s · Ctrl-C cancels'],
    ['a person who is asked is not a stall', {work, now: 12_000, dialogs: asked}, 'Working · 12 s · Ctrl-C cancels'],
    ['a line of the shell is not a stall', {work: {...work, what: 'shell'}, now: 12_000}, 'Running · 12 s · Ctrl-C cancels'],
    ['what waits', {work, now: 1000, queue: ['a', 'b']}, 'Working · 1 s · Ctrl-C cancels · 2 queued'],
    ['cancelling', {work: {...work, isCancelling: true}, now: 1000}, 'Cancelling · Ctrl-C again leaves'],
  ])('%s', (_what, change, line) => {
    const shown = workLine({...idle, ...change});
    expect(shown && plainText(shown)).toBe(line);
  });
});
