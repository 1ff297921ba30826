import {describe, expect, it} from 'vitest';
import type {AgentSession, CommandResult, TurnEnding} from '../../../../src/hosts/tui/host-adapter.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {createPerformer} from '../../../../src/hosts/tui/runner/perform.ts';

const ENDING: TurnEnding = {outcome: 'success', lines: []};

/** A session whose turn ends when the test says so. */
async function performing(command: (name: string) => Promise<CommandResult | undefined>) {
  const actions: Action[] = [];
  const turn = Promise.withResolvers<TurnEnding>();
  const ended = Promise.withResolvers<void>();
  const session: AgentSession = {
    info: {},
    earlier: [],
    notes: [],
    submit: () => turn.promise,
    steer: () => undefined,
    commands: async () => [],
    command: (name) => command(name),
    files: async () => [],
    shell: async () => ({output: '', exitCode: 0}),
    close: async () => [],
  };
  const nothing = (): undefined => undefined;
  const performer = createPerformer({
    host: {
      appName: 'Fettle',
      workspace: {name: 'w', root: '/w'},
      notifications: {notify: nothing, setFocused: nothing},
      themes: {available: [], active: 'auto'},
    },
    dispatch(action) {
      actions.push(action);
      if (action.type === 'ended') ended.resolve();
    },
    prepare: async () => undefined,
    leave: nothing,
    suspend: nothing,
    editText: async () => undefined,
    remember: nothing,
    useTheme: nothing,
    askStatus: nothing,
  });
  await performer.use(session);
  actions.length = 0;
  performer.perform({type: 'submit', text: 'go'});
  return {performer, actions, turn, ended: ended.promise};
}

describe('a command beside a turn', () => {
  it('is shown, and the turn goes on: its end comes from the turn alone', async () => {
    const {performer, actions, turn, ended} = await performing(async (name) => ({type: 'text', text: `of ${name}`}));
    performer.perform({type: 'command', name: 'cost', typed: '', isBeside: true});
    await expect.poll(() => actions).toEqual([{type: 'entry', entry: {kind: 'plain', text: 'of cost', keeps: 'start'}}]);
    turn.resolve(ENDING);
    await ended;
    expect(actions.slice(1)).toEqual([
      {type: 'info', info: {}},
      {type: 'ended', ending: ENDING},
    ]);
  });

  it.each<[string, CommandResult | undefined]>([
    ['a task', {type: 'task', text: 'do it'}],
    ['the end', {type: 'end'}],
    ['nothing', undefined],
  ])('never does more than show: %s', async (_, result) => {
    const {performer, actions, turn, ended} = await performing(async () => result);
    performer.perform({type: 'command', name: 'cost', typed: '', isBeside: true});
    turn.resolve(ENDING);
    await ended;
    expect(actions.map(({type}) => type)).toEqual(['info', 'ended']);
  });

  it('tells what goes wrong', async () => {
    const {performer, actions} = await performing(async () => await Promise.reject(new Error('no disk')));
    performer.perform({type: 'command', name: 'cost', typed: '', isBeside: true});
    await expect.poll(() => actions.map(({type}) => type)).toEqual(['entry']);
  });
});
