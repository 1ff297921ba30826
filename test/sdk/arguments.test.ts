import {describe, expect, it, onTestFinished} from 'vitest';
import {isFettleError} from '../../src/base/errors.ts';
import * as sdk from '../../src/sdk/index.ts';
import {startModelServer, type ModelScript} from '../../src/testing/index.ts';
import {scratch} from '../support/scratch.ts';

const {signal} = new AbortController();

async function opened(script: ModelScript, verify?: readonly string[]) {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const [cwd, home] = [await scratch(), await scratch()];
  const env = {PATH: process.env['PATH'], FETTLE_HOME: home, FETTLE_MODEL: 'ollama/model', OLLAMA_BASE_URL: server.url};
  const session = sdk.withModel(await sdk.loadSettings({cwd, env, home}));
  const events: sdk.ThreadEvent[] = [];
  const thread = await sdk.openThread({session, verify, onEvent: (event) => void events.push(event)}, signal);
  return {server, session, thread, events};
}

/** The code and the message of what a call throws. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'nothing was thrown';
  } catch (error) {
    return isFettleError(error) ? `${error.code} ${error.message}` : String(error);
  }
}

describe('issue: "two open run() on one thread: the second is refused; close() twice is harmless"', () => {
  it('the second run is refused and takes nothing from the first; after it the thread runs again', async () => {
    const {thread, events} = await opened([{text: 'One.'}, {text: 'Two.'}]);
    const first = thread.run('first', signal);
    const second = await refusal(() => thread.run('second', signal));
    const between = await refusal(() => thread.compact(undefined, signal));
    expect([second, between, (await first).text, (await thread.run('third', signal)).text]).toEqual([
      'UNAVAILABLE A run of this thread has not ended yet.',
      'UNAVAILABLE compact: a run of this thread has not ended yet.',
      'One.',
      'Two.',
    ]);
    await thread.close();
    const said = events.flatMap((event) =>
      event.type === 'item.completed' && event.item.type === 'user_message' ? [event.item.text] : [],
    );
    expect(said).toEqual(['first', 'third']);
  });

  it('closing twice, also at the same time, ends the log once; a closed thread does nothing more', async () => {
    const {thread, events} = await opened([{text: 'One.'}]);
    const result = await thread.run('first', signal);
    const [a, b] = await Promise.all([thread.close(result), thread.close(result)]);
    expect([a, b, await thread.close()]).toEqual([[], [], []]);
    expect(events.filter(({type}) => type === 'thread.completed')).toHaveLength(1);
    const calls = [() => thread.run('x', signal), () => thread.steer('x'), () => thread.followUp('x'), () => thread.compact('', signal)];
    expect(await Promise.all(calls.map(refusal))).toEqual(Array.from(calls, () => 'UNAVAILABLE This thread is closed.'));
  });

  it('closing while a run is open cancels the run first', async () => {
    const {thread, events} = await opened([{text: 'One.', stallAfter: 0}]);
    const running = thread.run('first', signal);
    await thread.close();
    expect([(await running).outcome, events.at(-1)?.type]).toEqual(['cancelled', 'thread.completed']);
  });
});

describe('issue: "wrong SDK arguments give a message"', () => {
  const call = sdk as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  it.each<[string, readonly unknown[], string]>([
    [
      'openThread',
      [],
      'openThread: options must be an object, not undefined; signal must be an AbortSignal, such as new AbortController().signal, not undefined.',
    ],
    ['openThread', [{}, signal], 'openThread: options.cwd must be a text that is not blank, not undefined.'],
    ['openThread', [{session: {}}, signal], 'openThread: options.session must be what loadSettings() returned, not an object.'],
    [
      'openThread',
      [{session: {settings: {}, paths: {}}, cwd: '/x', model: 'a/b'}, signal],
      'openThread: options.cwd is not known (known: session, approve, askUser, onWait, task, editor, schedule, onEvent, ',
    ],
    [
      'openThread',
      [{cwd: '/x', mode: 'yolo', sandbox: 'on', limits: {turns: '5', calls: 1}, rules: {allow: 'bash:ls'}, flags: {}}, signal],
      'openThread: options.mode must be one of plan, ask, accept-edits, full-auto, not "yolo"; options.sandbox must be one of off, ' +
        'read-only, workspace-write, not "on"; options.rules.allow must be a list, each item a text that is not blank, not "bash:ls"; ' +
        'options.limits.turns must be a number of at least 0, not "5"; options.limits.calls is not known (known: turns, tokens, ' +
        'costUsd, timeMs); options.flags is not known',
    ],
    [
      'openThread',
      [{cwd: '/x', provider: {model: 'a'}, model: 'a/b'}, signal],
      'openThread: options.model must be left out beside a provider: it is the model, not "a/b"; options.provider must be a provider: ' +
        '{model, stream()}, not an object.',
    ],
    [
      'openThread',
      [{session: {settings: {}, paths: {}}, onEvent: 'x', verify: 'npm test'}, signal],
      'openThread: options.onEvent must be a function, not "x"; options.verify must be a list, each item a command, not "npm test".',
    ],
    [
      'openThread',
      [{session: {settings: {}, paths: {}}, resume: 'thr_1'}, signal],
      'openThread: options.resume must be {id} or "latest", not "thr_1".',
    ],
    ['loadSettings', [], 'loadSettings: request must be an object, not undefined.'],
    ['loadSettings', [{env: {}}], 'loadSettings: request.cwd must be a text that is not blank, not undefined.'],
    ['withModel', [undefined], 'withModel: loaded must be what loadSettings() returned, not undefined.'],
    ['listSessions', [{}], 'listSessions: options.stateDir must be a text that is not blank, not undefined.'],
    ['searchSessions', [{stateDir: '/x', text: 'a', most: '5'}], 'searchSessions: request.most must be a number of at least 0, not "5".'],
    ['exportSession', ['/x', 'pdf'], 'exportSession: format must be one of jsonl, '],
    [
      'judgeCall',
      [{}],
      'judgeCall: call.session must be what loadSettings() returned, not undefined; call.tool must be a text that is not blank, not undefined.',
    ],
    [
      'restoreTo',
      [{}, {id: 5}],
      'restoreTo: session must be what loadSettings() returned, not an object; request.id must be a text that is not blank, not 5.',
    ],
  ])('%s %#', async (name, args, message) => {
    expect(await refusal(() => call[name]?.(...args))).toContain(`BAD_ARGS ${message}`);
  });

  it('an option that there is not is named, with those that there are', async () => {
    expect(await refusal(() => call['listSessions']?.({stateDir: '/x', statedir: '/x'}))).toBe(
      'BAD_ARGS listSessions: options.statedir is not known (known: stateDir, cwd, limit, subagents).',
    );
  });

  it('so do those of a thread', async () => {
    const {thread} = await opened([]);
    const wrong = thread as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
    expect(
      await Promise.all([
        refusal(() => wrong['run']?.('x')),
        refusal(() => wrong['run']?.('  ', signal)),
        refusal(() => wrong['run']?.(5, signal)),
        refusal(() => wrong['steer']?.()),
        refusal(() => wrong['grant']?.({})),
        refusal(() => wrong['restore']?.('undo')),
      ]),
    ).toEqual([
      'BAD_ARGS thread.run: signal must be an AbortSignal, such as new AbortController().signal, not undefined.',
      'BAD_ARGS thread.run: prompt must be a text that is not blank, or left out, not "  ".',
      'BAD_ARGS thread.run: prompt must be a text that is not blank, or left out, not 5.',
      'BAD_ARGS thread.steer: text must be a text that is not blank, not undefined.',
      'BAD_ARGS thread.grant: rule must be a text that is not blank, not an object.',
      'BAD_ARGS thread.restore: request must be an object, not "undo".',
    ]);
    await thread.close();
  });

  it('a check that runs nothing is refused', async () => {
    expect(await refusal(() => opened([], ['# nothing']))).toBe('USAGE The check "# nothing" runs no command.');
  });

  it('the result of a run has the report of thread.completed', async () => {
    const {thread, events} = await opened([{text: 'Done.'}], ['test -d .']);
    const result = await thread.run('x', signal);
    await thread.close(result);
    const report = {verified: true, checks: [{command: 'test -d .', named_by: 'person', state: 'passed', exit_code: 0}]};
    expect(result.report).toEqual(report);
    expect(events.at(-1)).toMatchObject(report);
  });
});
