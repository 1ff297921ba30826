import {expect, it} from 'vitest';
import type {AgentSession} from '../../../../src/hosts/tui/host-adapter.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {createDrive} from '../../../../src/hosts/tui/runner/drive.ts';
import {createInlineSurface} from '../../../../src/hosts/tui/surface/inline-surface.ts';
import {createPerformer} from '../../../../src/hosts/tui/runner/perform.ts';
import {terminalTheme} from '../../../../src/hosts/tui/themes/terminal-themes.ts';
import {loadMarkdown} from '../../../../src/hosts/tui/views/markdown/load-markdown.ts';
import {emulator} from '../../../screen/emulator.ts';
import {answered, ran} from '../../../screen/events.ts';

const eventsOf = (...actions: readonly Action[]): AgentSession['earlier'] =>
  actions.flatMap((action) => (action.type === 'event' ? [action.event] : []));

const SESSION: AgentSession = {
  info: {},
  notes: [],
  earlier: eventsOf(
    answered('So:\n\n```lua\nlocal x = 1\n```\n'),
    ran('t1', 'edit', {path: 'a.rb', old_string: 'def one', new_string: 'def two'}),
  ),
  submit: async () => ({outcome: 'success', lines: []}),
  steer: () => undefined,
  commands: async () => [],
  command: async () => undefined,
  files: async () => [],
  shell: async () => ({output: '', exitCode: 0}),
  close: async () => [],
};

it('code and changes of a conversation that goes on have their colours, though nothing was loaded before', async () => {
  await loadMarkdown();
  const size = {columns: 60, rows: 30};
  const terminal = emulator(size);
  const traits = {synchronized: true, looks: terminalTheme('dark', '256')};
  const drive = createDrive({
    initial: initialState({size, now: 0, appName: 'A', folder: 'f', keymap: createKeymap().keymap}),
    surface: createInlineSurface(terminal, traits),
    openPager: () => createInlineSurface(terminal, traits),
    perform: () => undefined,
    now: () => 0,
  });
  const nothing = (): undefined => undefined;
  const performer = createPerformer({
    host: {
      appName: 'A',
      workspace: {name: 'f', root: '/f'},
      notifications: {notify: nothing, setFocused: nothing},
      themes: {available: [], active: 'auto'},
    },
    dispatch: drive.dispatch,
    prepare: drive.prepare,
    leave: nothing,
    suspend: nothing,
    editText: async () => undefined,
    remember: nothing,
    useTheme: nothing,
    askStatus: nothing,
  });
  await performer.use(SESSION);
  drive.close();
  const looksOf = (text: string) => terminal.looks(terminal.screen().findIndex((row) => row.includes(text)));
  expect([looksOf('local x'), looksOf('def two')]).toMatchInlineSnapshot(`
    [
      [
        [
          "local",
          "fg:13",
        ],
        [
          " x = ",
          "",
        ],
        [
          "1",
          "fg:3",
        ],
      ],
      [
        [
          "  ",
          "",
        ],
        [
          "+ ",
          "fg:2",
        ],
        [
          "def",
          "fg:13",
        ],
        [
          " ",
          "fg:2",
        ],
        [
          "two",
          "fg:12 bg:22",
        ],
      ],
    ]
  `);
});
