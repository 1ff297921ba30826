import {describe, expect, it} from 'vitest';
import {conversationsOf} from '../../../src/lab/export/conversation.ts';
import {rlRecords, sftRecord} from '../../../src/lab/export/chat-records.ts';
import {transcriptOf} from '../../../src/sessions/export/transcript.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {answered, callCompleted, compacted, frame, logged, output, started, text, turnStarted, user} from '../../sessions/events.ts';
import {session} from './logs.ts';

const conversations = (events: readonly ThreadEvent[]) => conversationsOf(transcriptOf(logged(events)));

describe('a conversation', () => {
  it('is a line of the chat format: calls, results, tools', () => {
    const [only] = conversations(session('It is done.', {cwd: '/app'}));
    expect(only === undefined ? undefined : sftRecord(only)).toMatchInlineSnapshot(`
      {
        "messages": [
          {
            "content": "You work in /app.",
            "role": "system",
          },
          {
            "content": "Fix it.",
            "role": "user",
          },
          {
            "content": "I look.",
            "role": "assistant",
            "tool_calls": [
              {
                "function": {
                  "arguments": "{"path":"/app/a.txt"}",
                  "name": "read",
                },
                "id": "call_look",
                "type": "function",
              },
            ],
          },
          {
            "content": "The file /app/a.txt has key sk-ant-api03-a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2.",
            "role": "tool",
            "tool_call_id": "call_look",
          },
          {
            "content": "It is done.",
            "role": "assistant",
          },
        ],
        "tools": [
          {
            "function": {
              "description": "Does read.",
              "name": "read",
              "parameters": {
                "properties": {},
                "type": "object",
              },
            },
            "type": "function",
          },
          {
            "function": {
              "description": "Does edit.",
              "name": "edit",
              "parameters": {
                "properties": {},
                "type": "object",
              },
            },
            "type": "function",
          },
        ],
      }
    `);
  });

  it('begins anew behind a compaction, as the model saw it; what it said before is not learned again', () => {
    const kept = [
      {role: 'user', text: 'The summary.'},
      {role: 'assistant', parts: [{type: 'text', text: 'Old words.'}]},
    ];
    const events = [
      started(),
      turnStarted(),
      user('Go.'),
      text('r1', 'Old words.'),
      answered('r1'),
      compacted(kept as never),
      text('r2', 'New.'),
      answered('r2'),
    ];
    expect(conversations(events).map((one) => sftRecord(one)?.messages)).toEqual([
      [
        {role: 'user', content: 'Go.'},
        {role: 'assistant', content: 'Old words.'},
      ],
      [
        {role: 'user', content: 'The summary.'},
        {role: 'assistant', content: 'Old words.', weight: 0},
        {role: 'assistant', content: 'New.'},
      ],
    ]);
  });

  it('has no reply that was cut off, and no broken or repeated call', () => {
    const [twin, broken] = [
      {id: 'c1', callId: 'same'},
      {id: 'c2', callId: 'same', arguments: '{"path":'},
    ];
    const events = [
      started(),
      turnStarted(),
      user('Go.'),
      callCompleted('r1', twin),
      callCompleted('r1', broken),
      answered('r1'),
      output('r1', twin, 'one'),
      output('r1', broken, 'two'),
      text('r2', 'cut'),
    ];
    const [only] = conversations(events);
    const [action] = only?.turns.map((turn) => turn.action) ?? [];
    expect([only?.turns.length, action?.tool_calls?.map((call) => [call.id, call.function.arguments])]).toEqual([
      1,
      [
        ['same', '{"path":"a.txt"}'],
        ['c2', '{}'],
      ],
    ]);
  });

  it('ends with something that the model said; an empty reply is not to be learned', () => {
    const events = [started(), turnStarted(), user('Go.'), answered('r1'), text('r2', 'Here.'), answered('r2'), answered('r3')];
    const [only] = conversations(events);
    expect(only === undefined ? undefined : sftRecord(only)?.messages).toEqual([
      {role: 'user', content: 'Go.'},
      {role: 'assistant', content: '', weight: 0},
      {role: 'assistant', content: 'Here.'},
    ]);
  });

  it('is a chain of transitions whose rewards add up, with one end', () => {
    const steps = [
      {conversations: conversations(session('First.')), reward: 0.5},
      {
        conversations: conversations([started(), frame('Again.', []), turnStarted(), user('Next.'), text('r1', 'Second.'), answered('r1')]),
        reward: 0.25,
      },
    ];
    const shown = (truncated: boolean) =>
      rlRecords(steps, {episode: 'e', truncated}).map(({t, context, observation, action, reward, tools, ...end}) => [
        t,
        context,
        observation.map(({role}) => role).join(' '),
        action.content,
        reward,
        tools?.length,
        end.terminated,
        end.truncated,
      ]);
    expect(shown(false)).toEqual([
      [0, 'replace', 'system user', 'I look.', 0, 2, false, false],
      [1, 'append', 'tool', 'First.', 0.5, undefined, false, false],
      [2, 'replace', 'system user', 'Second.', 0.25, undefined, true, false],
    ]);
    expect(shown(true).at(-1)?.slice(-2)).toEqual([false, true]);
  });
});
