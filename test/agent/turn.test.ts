import {describe, expect, it} from 'vitest';
import {createMeter} from '../../src/agent/meter.ts';
import {createThread, type Thread} from '../../src/agent/thread.ts';
import type {Limits} from '../../src/agent/budget.ts';
import type {AnnouncedCall} from '../../src/agent/replies/received-reply.ts';
import type {BatchReport} from '../../src/agent/turn-context.ts';
import {FettleError} from '../../src/base/errors.ts';
import type {EndJudge, EndVerdict} from '../../src/agent/turn-end.ts';
import type {ModelEvent} from '../../src/models/provider.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {AssistantPart} from '../../src/protocol/messages.ts';
import {createHistory} from '../../src/sessions/history.ts';
import {call, done, stepProvider, text, type Step} from './support.ts';

interface Rig {
  readonly thread: Thread;
  readonly events: ThreadEvent[];
  readonly provider: ReturnType<typeof stepProvider>;
  readonly batches: (readonly AnnouncedCall[])[];
}

interface RigOptions {
  readonly limits?: Limits;
  readonly report?: (batch: number) => Partial<BatchReport>;
  readonly judges?: readonly EndJudge[];
  /** Whether named checks have passed. */
  readonly isProven?: boolean;
  readonly onTools?: (thread: Thread) => void;
}

function rig(steps: readonly Step[], {limits = {}, report = () => ({}), judges = [], isProven, onTools}: RigOptions = {}): Rig {
  const events: ThreadEvent[] = [];
  const history = createHistory();
  const provider = stepProvider(steps);
  const batches: (readonly AnnouncedCall[])[] = [];
  const thread: Thread = createThread({
    threadId: 'thr_test',
    provider,
    meter: createMeter({limits, now: () => 0}),
    emit: (event) => {
      history.apply(event);
      events.push(event);
    },
    now: () => 0,
    request: async () => ({system: 's', messages: history.messages(), tools: []}),
    async runTools(calls) {
      batches.push(calls);
      onTools?.(thread);
      return {denied: [], loop: undefined, ...report(batches.length)};
    },
    endJudges: judges,
    known: isProven === undefined ? undefined : {isProven: () => isProven, remedies: () => []},
    started: {cwd: '/w', model: 'test/steps', toolset: 'fettle', fettle_version: '0', resumed: false},
  });
  return {thread, events, provider, batches};
}

const types = (events: readonly ThreadEvent[]): string[] =>
  events.map((event) => ('item' in event ? `${event.type}:${event.item.type}` : event.type));

describe('one turn', () => {
  it('ends with the first reply without tool calls; one pair of turn events; the result says what was spent', async () => {
    const {thread, events} = rig([[{type: 'text', delta: 'Hel'}, {type: 'text', delta: 'lo'}, done([text('Hello')])]]);
    const result = await thread.run('hi', new AbortController().signal);
    thread.finish(result);
    expect(types(events)).toEqual([
      'thread.started',
      'turn.started',
      'item.completed:user_message',
      'item.started:agent_message',
      'item.updated',
      'item.updated',
      'item.completed:agent_message',
      'request.completed',
      'turn.completed',
      'thread.completed',
    ]);
    expect({outcome: result.outcome, text: result.text, turns: result.turns, spent: result.spent.requests}).toEqual({
      outcome: 'success',
      text: 'Hello',
      turns: 1,
      spent: 1,
    });
    expect(events.at(-1)).toMatchObject({subtype: 'success', outcome_code: 'success', result: 'Hello', num_turns: 1, total_cost_usd: 0.01});
  });

  it('runs the calls of a reply as one batch and asks again until there are none', async () => {
    const {thread, provider, batches} = rig([
      [done([text('Looking.'), call('a', 'read', {path: 'x'}), call('b', 'read', {path: 'y'})])],
      [done([call('c', 'bash', {command: 'true'})])],
      [done([text('Done.')])],
    ]);
    const result = await thread.run('go', new AbortController().signal);
    expect(batches.map((batch) => batch.map(({call: {id}}) => id))).toEqual([['a', 'b'], ['c']]);
    expect([result.outcome, result.text, result.spent.requests, provider.requests.length]).toEqual(['success', 'Done.', 3, 3]);
  });

  it.each<[string, Step, object]>([
    [
      'a provider that fails',
      [{type: 'error', failure: {code: 'PROVIDER', message: 'It is down.', hint: 'Wait.', retries: 4}}],
      {outcome: 'provider_error', message: 'It is down.', hint: 'Wait.'},
    ],
    ['a stream without an end', [], {outcome: 'provider_error', message: 'The provider ended without an answer.'}],
    ['a refusal', [done([text('No.')], {stopReason: 'refusal'})], {outcome: 'failed', message: 'The model refused to answer.'}],
  ])('is not a success: %s', async (_, step, expected) => {
    const {thread, events} = rig([step]);
    const result = await thread.run('go', new AbortController().signal);
    expect(result).toMatchObject(expected);
    expect(types(events).filter((type) => type.startsWith('turn.'))).toEqual(['turn.started', 'turn.failed']);
  });

  const cut = done([text('Half')], {stopReason: 'max_tokens'});

  it('a reply that the output limit cuts is told to the model and to people, and the turn goes on (issue 14)', async () => {
    const {thread, events, provider} = rig([[cut], [done([text('Rest.')])]]);
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome: 'success', text: 'Rest.'});
    expect(provider.requests.at(-1)?.messages.at(-1)).toEqual({
      role: 'user',
      text: 'Your reply was cut off at the output limit. Go on from there in smaller pieces: less text, one call at a time.',
    });
    const told = events.flatMap((event) => ('item' in event && event.item.type === 'harness' ? [event.item.event] : []));
    expect(told).toEqual(['reply_cut']);
  });

  it('three cut replies in a row end the turn', async () => {
    const {thread, provider} = rig([[cut], [cut], [cut], [cut]]);
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({
      outcome: 'token_limit_reached',
      message: 'The answer was cut off: the model reached its output limit.',
    });
    expect(provider.requests.length).toBe(3);
  });

  it.each<[string, boolean, EndVerdict, object, number]>([
    ['checks that passed prove it', true, undefined, {outcome: 'success', text: 'Half'}, 3],
    ['nothing proves it', false, undefined, {outcome: 'token_limit_reached'}, 3],
    ['a check that failed goes to the model', false, {feedback: 'It failed.'}, {outcome: 'success', text: 'Fixed.'}, 4],
    ['a judge that ends the turn', false, {outcome: 'blocked', message: 'No.'}, {outcome: 'blocked', message: 'No.'}, 3],
  ])('three cut replies in a row are judged like an answer: %s', async (_, isProven, verdict, expected, requests) => {
    const asked: string[] = [];
    const judge: EndJudge = async ({text: said}) => (asked.push(said) === 1 ? verdict : undefined);
    const {thread, provider} = rig([[cut], [cut], [cut], [done([text('Fixed.')])]], {judges: [judge], isProven});
    expect(await thread.run('go', new AbortController().signal)).toMatchObject(expected);
    expect([provider.requests.length, asked[0]]).toEqual([requests, 'Half']);
  });

  const half: AssistantPart = {type: 'tool_call', id: 'w', name: 'write', arguments: '{"path": "a", "content": "b'};
  const cutCall = done([half], {stopReason: 'max_tokens'});

  it('a call that the output limit cut is marked as such; three in a row, and nothing else, end the turn', async () => {
    const {thread, batches, events, provider} = rig([[cutCall], [cut], [cutCall], [done([text('Never.')])]]);
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome: 'token_limit_reached'});
    expect(batches.map((calls) => calls.map(({call: {name}, isCut}) => [name, isCut]))).toEqual([[['write', true]], [['write', true]]]);
    const told = events.flatMap((event) => ('item' in event && event.item.type === 'harness' ? [event.item.message] : []));
    expect([told, provider.requests.length]).toEqual([
      [
        'The reply was cut off in the call of write: the model reached its output limit. It is not run, and the model is told.',
        'The reply was cut off: the model reached its output limit. It is asked to continue in smaller pieces.',
      ],
      3,
    ]);
  });

  it('calls that ran begin the count anew, also where the last one of each reply is cut', async () => {
    const both = (at: number): ModelEvent => done([call(`r${at}`, 'read', {path: `${at}`}), half], {stopReason: 'max_tokens'});
    const {thread, batches} = rig([[cut], [cut], [both(1)], [cut], [cut], [both(2)], [both(3)], [both(4)], [done([text('Done.')])]]);
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome: 'success', text: 'Done.'});
    expect(batches.map((calls) => calls.map(({isCut}) => isCut))).toEqual(Array.from({length: 4}, () => [false, true]));
  });

  it('contains a defect: what is thrown inside becomes a failed turn', async () => {
    const {thread} = rig([
      () => {
        throw new TypeError('x is undefined');
      },
    ]);
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome: 'failed', message: 'x is undefined'});
  });

  it.each<[string, readonly Step[], string]>([
    ['nothing was sent: the settings or the prompt are wrong', [], 'request_too_large'],
    ['something was done before: the run failed', [[done([call('a', 'ls', {})])]], 'failed'],
  ])('ends where a request cannot fit: %s', async (_, before, outcome) => {
    const {thread} = rig([
      ...before,
      () => {
        throw new FettleError({code: 'TOO_LARGE', message: 'It needs more.', hint: 'Send less.'});
      },
    ]);
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome, message: 'It needs more.', hint: 'Send less.'});
  });

  it('says denied where a call was denied, though the model found an answer (design 6: exit code 3)', async () => {
    const {thread} = rig([[done([call('a', 'bash', {})])], [done([text('I could not.')])]], {report: () => ({denied: ['bash']})});
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({
      outcome: 'denied',
      text: 'I could not.',
      message: 'A call was denied: bash.',
    });
  });

  it('ends when the loop guard stopped a call', async () => {
    const {thread} = rig([[done([call('a', 'ls', {})])]], {report: () => ({loop: 'ls was called 5 times with the same result.'})});
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({
      outcome: 'loop_detected',
      message: 'ls was called 5 times with the same result.',
    });
  });

  it('is cancelled: between requests, and while tools run', async () => {
    const stop = new AbortController();
    const {thread, events} = rig([[done([call('a', 'bash', {})])]], {onTools: () => stop.abort()});
    expect(await thread.run('go', stop.signal)).toMatchObject({outcome: 'cancelled', message: 'Cancelled.'});
    expect(events.at(-1)).toMatchObject({type: 'turn.failed', outcome_code: 'cancelled'});
  });

  it('starts items anew after a retry: what came before is void', async () => {
    const {thread, events} = rig([
      [
        {type: 'text', delta: 'Ga'},
        {type: 'retry', attempt: 1, delayMs: 500, reason: 'The stream broke.'},
        {type: 'retry', attempt: 2, delayMs: 1000, reason: 'aborted'},
        {type: 'text', delta: 'Good'},
        done([text('Good')], {retries: 1}),
      ],
    ]);
    await thread.run('go', new AbortController().signal);
    const started = events.flatMap((event) => (event.type === 'item.started' ? [event.item.id] : []));
    const completed = events.flatMap((event) =>
      event.type === 'item.completed' && event.item.type === 'agent_message' ? [event.item.id] : [],
    );
    expect([started.length, completed]).toEqual([2, [started[1]]]);
    const told = events.flatMap((event) => (event.type === 'item.completed' && event.item.type === 'harness' ? [event.item.message] : []));
    expect(told).toEqual(['The stream broke. Trying again in 0.5 s (attempt 1).', 'aborted. Trying again in 1.0 s (attempt 2).']);
  });
});

describe('limits', () => {
  const endless: Step[] = Array.from({length: 10}, (_, n) => [done([call(`c${n}`, 'read', {path: String(n)})])]);

  it.each<[string, Limits, string, number]>([
    ['turns', {maxTurns: 3}, 'turn_limit_reached', 3],
    ['tokens', {maxTokens: 24}, 'token_limit_reached', 2],
    ['money', {maxCostUsd: 0.035}, 'budget_limit_reached', 4],
  ])('%s stop the run before the next request', async (_, limits, outcome, requests) => {
    const {thread, provider} = rig(endless, {limits});
    const result = await thread.run('go', new AbortController().signal);
    expect([result.outcome, provider.requests.length]).toEqual([outcome, requests]);
  });

  it('time stops a request that is under way', async () => {
    const {thread} = rig(
      [
        (_, signal) =>
          new Promise((resolve) => {
            const end = (): void => resolve([{type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries: 0}}]);
            signal.addEventListener('abort', end, {once: true});
          }),
      ],
      {limits: {maxTimeMs: 1}},
    );
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({
      outcome: 'time_limit_reached',
      message: 'The limit of 0.001 s is reached.',
    });
  });
});

describe('queued inputs (vtcode architecture › injected one-at-a-time only after a turn reaches an idle boundary)', () => {
  it('begins a turn for each follow-up, one at a time, after the running turn', async () => {
    const {thread, events, provider} = rig(
      [[done([call('a', 'read', {})])], [done([text('one')])], [done([text('two')])], [done([text('three')])]],
      {
        onTools(running) {
          running.followUp('second task');
          running.followUp('third task');
        },
      },
    );
    const result = await thread.run('first task', new AbortController().signal);
    const last = provider.requests
      .map(({messages}) => messages.at(-1))
      .map((message) => (message?.role === 'user' ? message.text : message?.role));
    expect(last).toEqual(['first task', 'tool', 'second task', 'third task']);
    expect([result.turns, result.text]).toEqual([3, 'three']);
    expect(types(events).filter((type) => type.startsWith('turn.'))).toEqual(
      Array.from({length: 3}, () => ['turn.started', 'turn.completed']).flat(),
    );
  });

  it('puts a steering input into the running turn, before its next request', async () => {
    const {thread, events, provider} = rig([[done([call('a', 'read', {})])], [done([text('as you wish')])]], {
      onTools: (running) => void running.steer('only the tests'),
    });
    const result = await thread.run('go', new AbortController().signal);
    expect(provider.requests[1]?.messages.at(-1)).toEqual({role: 'user', text: 'only the tests'});
    expect([result.turns, types(events).includes('interjected')]).toEqual([1, true]);
  });
});

describe('the final answer', () => {
  const judge: EndJudge = async ({text: answer, rejections}) => {
    if (answer === '{}') return undefined;
    return rejections > 0 ? {outcome: 'failed', message: 'Answer with {}.'} : {feedback: 'Answer with {}.'};
  };

  it('is sent back once when it does not fit, and accepted when it then does', async () => {
    const {thread, provider} = rig([[done([text('hm')])], [done([text('{}')])]], {judges: [judge]});
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome: 'success', text: '{}'});
    expect(provider.requests[1]?.messages.at(-1)).toEqual({role: 'user', text: 'Answer with {}.'});
  });

  it('fails the second time', async () => {
    const {thread} = rig([[done([text('hm')])], [done([text('hm')])]], {judges: [judge]});
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome: 'failed', message: 'Answer with {}.'});
  });

  it('must please every judge; each counts its own objections, and one may end the turn as blocked', async () => {
    const asked: string[] = [];
    const named =
      (name: string, verdicts: readonly EndVerdict[]): EndJudge =>
      async ({rejections}) => {
        asked.push(`${name}${rejections}`);
        return verdicts[rejections];
      };
    const judges = [named('a', [{feedback: 'no'}]), named('b', [{feedback: 'not yet'}, {outcome: 'blocked', message: 'stuck'}])];
    const {thread} = rig([[done([text('1')])], [done([text('2')])], [done([text('3')])]], {judges});
    expect(await thread.run('go', new AbortController().signal)).toMatchObject({outcome: 'blocked', message: 'stuck', text: '3'});
    expect(asked).toEqual(['a0', 'a1', 'b0', 'a1', 'b1']);
  });

  it('is not a success where the run was cancelled while it was judged', async () => {
    const abort = new AbortController();
    const judges: EndJudge[] = [
      async () => {
        abort.abort();
        return undefined;
      },
    ];
    const {thread} = rig([[done([text('ok')])]], {judges});
    expect(await thread.run('go', abort.signal)).toMatchObject({outcome: 'cancelled'});
  });
});
