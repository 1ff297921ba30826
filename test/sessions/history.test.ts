import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {Message} from '../../src/protocol/messages.ts';
import {NO_RESULT, createHistory, historyFromEvents} from '../../src/sessions/history.ts';
import {answered, callCompleted, callStarted, compacted, output, reasoning, started, text, turnStarted, user, wholeTurn} from './events.ts';

const said = (value: string): Message => ({role: 'assistant', parts: [{type: 'text', text: value}]});
const asked = (value: string): Message => ({role: 'user', text: value});

describe('a whole turn', () => {
  it('items of one request become one message; results stand in the order of the calls, whatever finished first', () => {
    expect(historyFromEvents(wholeTurn())).toEqual([
      asked('Fix it.'),
      {
        role: 'assistant',
        parts: [
          {type: 'reasoning', text: 'Look first.', native: {format: 'anthropic', data: {signature: 's'}}},
          {type: 'text', text: 'I look.'},
          {type: 'tool_call', id: 'call_c1', name: 'read', arguments: '{"path":"a.txt"}'},
          {type: 'tool_call', id: 'call_c2', name: 'grep', arguments: '{"pattern":"x"}'},
        ],
      },
      {
        role: 'tool',
        results: [
          {callId: 'call_c1', name: 'read', text: 'hello', isError: false, item: 7},
          {callId: 'call_c2', name: 'grep', text: 'a.txt:1:x', isError: false, item: 5},
        ],
      },
      said('Done.'),
    ]);
  });

  it('parts stand in the order of the reply, also where one that shows nothing was started by nobody', () => {
    const begun = (item: {id: string; type: 'agent_message' | 'reasoning'}): ThreadEvent => ({
      type: 'item.started',
      turn_id: 't',
      item: {...item, request_id: 'r1', text: ''},
    });
    const hidden: ThreadEvent = {
      type: 'item.completed',
      item: {id: 'h', request_id: 'r1', type: 'reasoning', text: '', native: {format: 'anthropic', data: {type: 'redacted_thinking'}}},
    };
    const events = [
      begun({id: 'a', type: 'agent_message'}),
      hidden,
      callStarted('r1', {id: 'c', callId: 'call_c'}),
      text('r1', 'Said while it streamed.', 'a'),
      callCompleted('r1', {id: 'c', callId: 'call_c'}),
    ];
    expect(historyFromEvents(events)[0]).toMatchObject({
      parts: [{type: 'reasoning'}, {type: 'tool_call', id: 'call_c'}, {type: 'text', text: 'Said while it streamed.'}],
    });
  });

  it('only items of a model reply are said by the model', () => {
    const note: ThreadEvent = {type: 'item.completed', item: {id: 'n', type: 'agent_message', text: 'From the harness.'}};
    const command: ThreadEvent = {
      type: 'item.completed',
      item: {id: 'x', type: 'command_execution', command: 'ls', aggregated_output: '', status: 'completed'},
    };
    expect(historyFromEvents([user('Hi.'), note, command, text('r1', 'Hello.')])).toEqual([asked('Hi.'), said('Hello.')]);
  });

  it('an empty text is not sent again, unless it carries what its provider must get back', () => {
    const signed = {id: 's', request_id: 'r1', type: 'agent_message' as const, text: '', native: {format: 'gemini', data: 'sig'}};
    expect(historyFromEvents([text('r1', ''), text('r1', 'Yes.', 'm'), {type: 'item.completed', item: signed}])).toEqual([
      {
        role: 'assistant',
        parts: [
          {type: 'text', text: 'Yes.'},
          {type: 'text', text: '', native: {format: 'gemini', data: 'sig'}},
        ],
      },
    ]);
    expect(historyFromEvents([user('Go.'), text('r1', '')])).toEqual([asked('Go.')]);
  });

  it('provider ids may repeat from reply to reply and within one', () => {
    const same = {id: 'a', callId: 'call_0'};
    const other = {id: 'b', callId: 'call_0'};
    const events = [callCompleted('r1', same), callCompleted('r1', other), output('r1', same, 'A'), output('r1', other, 'B')];
    expect(historyFromEvents(events)[1]).toEqual({
      role: 'tool',
      results: [
        {callId: 'call_0', name: 'read', text: 'A', isError: false, item: 3},
        {callId: 'call_0', name: 'read', text: 'B', isError: false, item: 4},
      ],
    });
  });
});

describe('a turn that was cut off', () => {
  const call = {id: 'c1'};

  it('a call that was started and has no output gets a result that says so: it may have had effects', () => {
    expect(historyFromEvents([user('Go.'), callStarted('r1', call), answered('r1')])).toEqual([
      asked('Go.'),
      {role: 'assistant', parts: [{type: 'tool_call', id: 'call_c1', name: 'read', arguments: '{"path":"a.txt"}'}]},
      {role: 'tool', results: [{callId: 'call_c1', name: 'read', text: NO_RESULT, isError: true}]},
    ]);
  });

  it('where it waited for a subagent, the result says how that can go on (seed 002 › explicit delegation: resume)', () => {
    const ids = {thread_id: 'thr_1', agent_id: 'explore-task-1', agent: 'explore', child_thread_id: 'thr_2', run_id: 'run_1'};
    const status: ThreadEvent = {type: 'agent.status', ...ids, status: 'running', task: 'Look.', role: 'task', tool_call_id: 'call_c1'};
    const [, cut] = historyFromEvents([callStarted('r1', call), callStarted('r1', {id: 'c2'}), status, user('Go on.')]);
    expect(cut?.role === 'tool' ? cut.results.map(({text}) => text) : []).toEqual([
      `${NO_RESULT} Its subagent explore-task-1 was cut off with it: agents {"action": "resume", "agent": "explore-task-1"} lets it go on.`,
      NO_RESULT,
    ]);
    const [, done] = historyFromEvents([callStarted('r1', call), status, output('r1', call, 'Found.')]);
    expect(done?.role === 'tool' ? done.results.map(({text}) => text) : []).toEqual(['Found.']);
  });

  it('finished calls keep their results beside the one that did not finish', () => {
    const events = [callStarted('r1', call), callStarted('r1', {id: 'c2'}), callCompleted('r1', call), output('r1', call, 'one')];
    expect(historyFromEvents([...events, user('Go on.')]).slice(1)).toEqual([
      {
        role: 'tool',
        results: [
          {callId: 'call_c1', name: 'read', text: 'one', isError: false, item: 2},
          {callId: 'call_c2', name: 'read', text: NO_RESULT, isError: true},
        ],
      },
      asked('Go on.'),
    ]);
  });

  it('text that was not finished is not there; what was finished is, also without request.completed', () => {
    const begun: ThreadEvent = {type: 'item.started', item: {id: 'm', request_id: 'r1', type: 'agent_message', text: ''}};
    expect(historyFromEvents([user('Go.'), begun, user('Again.')])).toEqual([asked('Go.'), asked('Again.')]);
    expect(historyFromEvents([user('Go.'), text('r1', 'Well,'), user('Again.')])).toEqual([asked('Go.'), said('Well,'), asked('Again.')]);
  });

  it('reasoning without what it led to is left out, and a call with half its arguments', () => {
    expect(historyFromEvents([user('Go.'), reasoning('r1', 'Hm.')])).toEqual([asked('Go.')]);
    expect(historyFromEvents([text('r1', 'Well,'), callStarted('r1', {id: 'c', arguments: '{"pa'})])).toEqual([said('Well,')]);
  });

  it('steering that arrives while calls run stands behind their results', () => {
    const events = [callCompleted('r1', call), user('Faster.'), output('r1', call, 'one'), text('r2', 'Yes.')];
    expect(historyFromEvents(events).map(({role}) => role)).toEqual(['assistant', 'tool', 'user', 'assistant']);
  });
});

describe('compaction', () => {
  it('replaces all before by its messages; without them nothing is lost', () => {
    const summary: Message = {role: 'user', text: 'What happened so far: …'};
    expect(historyFromEvents([...wholeTurn(), compacted([summary]), user('Next.')])).toEqual([summary, asked('Next.')]);
    expect(historyFromEvents([...wholeTurn(), compacted()])).toEqual(historyFromEvents(wholeTurn()));
  });
});

/** Any order of events that a crash, a retry or a foreign log can leave. */
const anyEvent: fc.Arbitrary<ThreadEvent> = fc
  .record({request: fc.constantFrom('r1', 'r2', 'r3'), call: fc.constantFrom('c1', 'c2', 'c3'), kind: fc.nat(8)})
  .map(({request, call, kind}) => {
    const fields = {id: `${request}-${call}`};
    const events = [
      user('u'),
      text(request, 't'),
      reasoning(request, 'why'),
      callStarted(request, fields),
      callCompleted(request, fields),
      output(request, fields, 'o'),
      answered(request),
      turnStarted(),
      started(),
    ];
    return events[kind] ?? user('u');
  });

describe('any prefix of any events', () => {
  it('is a conversation that a model takes: each reply with calls is followed by exactly their results', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, {maxLength: 40}), (events) => {
        const messages = historyFromEvents(events);
        for (const [index, message] of messages.entries()) {
          if (message.role === 'user') continue;
          if (message.role === 'tool') expect(messages[index - 1]?.role).toBe('assistant');
          else {
            const calls = message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
            const next = messages[index + 1];
            expect(next?.role === 'tool' ? next.results.map(({callId}) => callId) : []).toEqual(calls);
            expect(message.parts.at(-1)?.type).not.toBe('reasoning');
          }
        }
      }),
    );
  });

  it('is the same whether it is asked for after every event or once', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, {maxLength: 40}), (events) => {
        const live = createHistory();
        for (const event of events) {
          live.apply(event);
          live.messages();
        }
        expect(live.messages()).toEqual(historyFromEvents(events));
      }),
    );
  });
});

describe('live use', () => {
  it('messages of earlier replies stay the same objects, so that their wire form can be kept', () => {
    const history = createHistory();
    for (const event of wholeTurn()) history.apply(event);
    const before = history.messages();
    history.apply(user('More.'));
    history.apply(text('r3', 'Yes.'));
    const after = history.messages();
    expect(after.length).toBe(before.length + 2);
    expect(before.slice(0, -1).every((message, index) => message === after[index])).toBe(true);
  });
});
