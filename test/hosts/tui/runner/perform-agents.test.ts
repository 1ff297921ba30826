import {describe, expect, it} from 'vitest';
import type {AgentSession} from '../../../../src/hosts/tui/host-adapter.ts';
import type {Action, ScreenEffect} from '../../../../src/hosts/tui/model/action.ts';
import {createPerformer} from '../../../../src/hosts/tui/runner/perform.ts';

const ignored = (): void => undefined;
const LOG = {events: [], isCut: false};

/** What the effects lead to in a session that has `given`. */
async function performed(given: Partial<AgentSession>, effects: readonly ScreenEffect[]): Promise<readonly Action[]> {
  const actions: Action[] = [];
  const session: AgentSession = {
    info: {},
    earlier: [],
    notes: [],
    submit: async () => ({outcome: 'success', lines: []}),
    steer: ignored,
    commands: async () => [],
    command: async () => undefined,
    files: async () => [],
    shell: async () => ({output: '', exitCode: 0}),
    close: async () => [],
    ...given,
  };
  const performer = createPerformer({
    host: {
      appName: 'Test',
      workspace: {name: 'w', root: '/w'},
      notifications: {notify: ignored, setFocused: ignored},
      themes: {available: [], active: 'auto'},
    },
    dispatch: (action) => void actions.push(action),
    prepare: async () => undefined,
    leave: ignored,
    suspend: ignored,
    editText: async () => undefined,
    remember: ignored,
    useTheme: ignored,
    askStatus: ignored,
  });
  await performer.use(session);
  actions.length = 0;
  for (const effect of effects) performer.perform(effect);
  // What a promise leads to has come by then.
  await new Promise((resolve) => setImmediate(resolve));
  return actions;
}

const notice = (level: 'info' | 'error', text: string): Action => ({type: 'entry', entry: {kind: 'notice', level, text}});
const access = {list: () => [], log: (id: string) => (id === 'w-1' ? LOG : undefined), cancel: async () => undefined};
const NOTHING = notice('info', 'No request to a model is open that could be sent again.');

describe('what the view into a subagent and a stall ask for', () => {
  it.each<[string, Partial<AgentSession>, ScreenEffect, readonly Action[]]>([
    ['its log', {subagents: access}, {type: 'agentLog', id: 'w-1'}, [{type: 'agentLog', id: 'w-1', log: LOG}]],
    ['a log that there is not', {subagents: access}, {type: 'agentLog', id: 'w-2'}, [{type: 'agentLog', id: 'w-2', log: undefined}]],
    ['an agent without logs', {}, {type: 'agentLog', id: 'w-1'}, [{type: 'agentLog', id: 'w-1', log: undefined}]],
    ['its end', {subagents: access}, {type: 'cancelAgent', id: 'w-1'}, []],
    [
      'an end that fails',
      {subagents: {...access, cancel: () => Promise.reject(new Error('It is gone.'))}},
      {type: 'cancelAgent', id: 'w-1'},
      [notice('error', 'It is gone.')],
    ],
    ['a request again', {retryRequest: () => 1}, {type: 'retry'}, []],
    ['the request of one', {retryRequest: (id) => (id === 'w-1' ? 1 : 0)}, {type: 'retry', agentId: 'w-1'}, []],
    ['a request that there is not', {retryRequest: () => 0}, {type: 'retry'}, [NOTHING]],
    ['an agent that cannot', {}, {type: 'retry'}, [NOTHING]],
  ])('%s', async (_, session, effect, actions) => {
    expect(await performed(session, [effect])).toEqual(actions);
  });
});
