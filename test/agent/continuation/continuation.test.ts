import {describe, expect, it} from 'vitest';
import type {CheckResult} from '../../../src/agent/continuation/check-result.ts';
import type {Blocker} from '../../../src/agent/continuation/continuation-options.ts';
import {createContinuation} from '../../../src/agent/continuation/continuation.ts';
import type {Todo} from '../../../src/tools/ports/todo-list.ts';

type State = CheckResult['state'];

interface Given {
  readonly todos?: readonly Todo[];
  readonly commands?: readonly string[];
  /** What each run of a command comes to; `passed` where nothing is said. */
  readonly states?: readonly State[];
  /** Whether the tree is different, each time it is asked. */
  readonly changed?: readonly boolean[];
  readonly continues?: boolean;
  readonly hasList?: boolean;
}

const todo = (id: string, status: Todo['status'], verify?: readonly string[]): Todo => ({
  id,
  content: `do ${id}`,
  status,
  priority: 'medium',
  ...(verify === undefined ? {} : {verify: [...verify]}),
});

function rig({todos = [], commands = [], states = [], changed = [], continues = true, hasList = true}: Given) {
  const ran: string[] = [];
  const handed: Blocker[] = [];
  let asked = 0;
  let list = todos;
  const continuation = createContinuation({
    todos: {read: () => list},
    commands,
    hasList,
    continues: () => continues,
    check: async ({command, fromPerson}) => {
      const state = states[ran.length] ?? 'passed';
      ran.push(`${fromPerson ? 'person' : 'model'}: ${command}`);
      return {
        command,
        state,
        exitCode: state === 'passed' ? 0 : 1,
        output: 'out',
        durationMs: 1000,
        hint: state === 'denied' ? 'a rule' : undefined,
      };
    },
    snapshotTree: async () => async () => changed[asked++] ?? false,
    handOff: async (blocker) => {
      handed.push(blocker);
      return 'Go on.';
    },
    emit: () => undefined,
  });
  const judge = async (turnId = 't') => await continuation.judge({text: 'Done.', turnId, rejections: 0}, new AbortController().signal);
  return {continuation, judge, ran, handed, become: (next: readonly Todo[]) => void (list = next)};
}

describe('VT Code architecture › Continuation', () => {
  it('runs the commands of the person, then those of the items in their order, each once; cancelled items have none', async () => {
    const todos = [todo('a', 'completed', ['two', ' one ']), todo('b', 'cancelled', ['never']), todo('c', 'completed', ['three', 'two'])];
    const {judge, ran, continuation} = rig({todos, commands: ['one']});
    expect(await judge()).toBeUndefined();
    expect({ran, isVerified: continuation.isVerified}).toEqual({ran: ['person: one', 'model: two', 'model: three'], isVerified: true});
  });

  it('no command before the list is complete', async () => {
    const {judge, ran} = rig({todos: [todo('a', 'pending')], commands: ['one']});
    expect([await judge(), ran]).toEqual([{feedback: expect.stringContaining('- [ ] do a')}, []]);
  });

  it.each<[State]>([['failed'], ['timed_out']])('%s: the first that does not pass ends the round and is sent back', async (state) => {
    const {judge, ran, continuation} = rig({commands: ['one', 'two'], states: [state]});
    expect(await judge()).toEqual({feedback: expect.stringMatching(/^Not verified: `one`/)});
    expect({ran, isVerified: continuation.isVerified, results: continuation.results.map((one) => one.state)}).toEqual({
      ran: ['person: one'],
      isVerified: false,
      results: [state],
    });
  });

  it('a command that was cancelled is not a pass, and no objection: the loop sees the cancellation itself', async () => {
    const {judge, continuation} = rig({commands: ['one'], states: ['cancelled']});
    expect([await judge(), continuation.isVerified]).toEqual([undefined, false]);
  });

  it('the same failure with changed files is tried again, with the same files it is blocked', async () => {
    const {judge, handed} = rig({commands: ['one'], states: ['failed', 'failed', 'failed'], changed: [true, false]});
    expect(await judge()).toHaveProperty('feedback');
    expect(await judge()).toHaveProperty('feedback');
    expect(await judge()).toEqual({
      outcome: 'blocked',
      message: '`one` exited with 1 after 1.0 s. Nothing has changed since it was said.',
      hint: 'Go on.',
    });
    expect(handed.map(({outcome, results}) => [outcome, results.length])).toEqual([['blocked', 1]]);
  });

  it('a list that moves on is not a standstill, whatever the files say', async () => {
    const {judge, become} = rig({todos: [todo('a', 'pending'), todo('b', 'pending')]});
    expect(await judge()).toHaveProperty('feedback');
    become([todo('a', 'completed'), todo('b', 'pending')]);
    expect(await judge()).toHaveProperty('feedback');
    expect(await judge()).toMatchObject({outcome: 'blocked'});
  });

  it('what stood in the way of an earlier turn does not count in a new one', async () => {
    const {judge} = rig({todos: [todo('a', 'pending')]});
    expect([await judge('t1'), await judge('t2')]).toEqual([{feedback: expect.any(String)}, {feedback: expect.any(String)}]);
  });

  it('off: the list is left alone, only the commands of the person run', async () => {
    const off = rig({continues: false, todos: [todo('a', 'pending', ['model'])], commands: ['one'], states: ['failed']});
    expect([await off.judge(), off.ran, off.handed]).toEqual([
      {outcome: 'failed', message: '`one` exited with 1 after 1.0 s.', hint: expect.any(String)},
      ['person: one'],
      [],
    ]);
  });

  it('without a tool for the list its items hold nothing up, their commands do', async () => {
    const {judge, ran} = rig({hasList: false, todos: [todo('a', 'pending', ['one'])]});
    expect([await judge(), ran]).toEqual([undefined, ['model: one']]);
  });

  it('denied: the end, with the rule that would allow it', async () => {
    const {judge, handed} = rig({commands: ['one'], states: ['denied']});
    expect(await judge()).toEqual({
      outcome: 'denied',
      message: '`one` was not allowed to run. out',
      hint: 'a rule\n  Go on.',
    });
    expect(handed).toHaveLength(1);
  });
});
