import {describe, expect, it} from 'vitest';
import {cutCalls, cutCallText, cutReply, isCutCall} from '../../../src/agent/replies/cut-reply.ts';
import type {AnnouncedCall} from '../../../src/agent/replies/received-reply.ts';
import {NO_FAULTS} from '../../../src/agent/replies/unusable-reply.ts';
import type {ModelReply} from '../../../src/models/provider.ts';
import type {AssistantPart, StopReason, ToolCallPart} from '../../../src/protocol/messages.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';
import {text} from '../support.ts';

const called = (name: string, args: string): ToolCallPart => ({type: 'tool_call', id: name, name, arguments: args});
const replyOf = (parts: readonly AssistantPart[], stopReason: StopReason = 'max_tokens'): ModelReply => ({
  message: {role: 'assistant', parts},
  stopReason,
  usage: NO_USAGE,
  costUsd: 0,
  retries: 0,
});
const started = (name: string, isCut: boolean): AnnouncedCall => ({itemId: name, requestId: 'r', call: called(name, '{'), isCut});
const received = (calls: readonly AnnouncedCall[], stopReason: StopReason = 'max_tokens') =>
  ({ok: true, reply: replyOf([], stopReason), text: '', calls, hasUnclearCall: false}) as const;

describe('a call that the output limit cut (issue 14 › replies)', () => {
  const whole = called('write', '{"path": "a", "content": "b"}');
  it.each<[string, ToolCallPart, readonly AssistantPart[], StopReason, boolean]>([
    ['half of its arguments', called('write', '{"path": "a", "content": "b'), [], 'max_tokens', true],
    ['all but the last bracket', called('write', '{"path": "a"'), [], 'max_tokens', true],
    ['no arguments yet', called('bash', ''), [], 'max_tokens', true],
    ['no arguments yet, as a server that parses them gives it', called('list', '{}'), [], 'max_tokens', true],
    ['no arguments, and another call behind it', called('list', ''), [whole], 'max_tokens', true],
    ['an empty object, and another call behind it', called('list', '{}'), [whole], 'max_tokens', false],
    ['no JSON at all', called('list', 'path=a'), [], 'max_tokens', true],
    ['a text', called('list', '"a"'), [], 'max_tokens', true],
    ['whole', whole, [], 'max_tokens', false],
    ['whole, and cut text behind it', whole, [text('And now')], 'max_tokens', false],
    ['broken, but with another call behind it: its arguments say so', called('list', '{"a": 1,}'), [whole], 'max_tokens', false],
    ['half of its arguments, and no limit was reached', called('write', '{"path": "a'), [], 'tool_calls', false],
    ['no arguments, and no limit was reached', called('list', ''), [], 'tool_calls', false],
  ])('%s', (_name, call, behind, stopReason, expected) => {
    expect(isCutCall(call, replyOf([text('I write.'), call, ...behind], stopReason))).toBe(expected);
  });

  it('says what the model and the person are told (text that a model sees)', () => {
    expect([
      cutReply(NO_FAULTS),
      cutReply({...NO_FAULTS, cut: 2}),
      cutCallText(started('write', true)),
      cutCalls(received([started('read', false), started('write', true)]), {...NO_FAULTS, cut: 2}),
      cutCalls(received([started('write', true)]), {...NO_FAULTS, cut: 1}),
      cutCalls(received([started('read', false)]), NO_FAULTS),
      cutCalls(received([started('read', false)], 'tool_calls'), NO_FAULTS),
    ]).toMatchInlineSnapshot(`
      [
        {
          "faults": {
            "calls": 0,
            "cut": 1,
            "empty": 0,
          },
          "note": {
            "event": "reply_cut",
            "message": "The reply was cut off: the model reached its output limit. It is asked to continue in smaller pieces.",
          },
          "tell": "Your reply was cut off at the output limit. Go on from there in smaller pieces: less text, one call at a time.",
        },
        undefined,
        "not run: the output limit cut off this reply in the arguments of write. Call again with less text at once, one call a reply.",
        {
          "faults": {
            "calls": 0,
            "cut": 0,
            "empty": 0,
          },
          "note": {
            "event": "reply_cut",
            "message": "The reply was cut off in the call of write: the model reached its output limit. It is not run, and the model is told.",
          },
        },
        {
          "faults": {
            "calls": 0,
            "cut": 2,
            "empty": 0,
          },
          "note": {
            "event": "reply_cut",
            "message": "The reply was cut off in the call of write: the model reached its output limit. It is not run, and the model is told.",
          },
        },
        {
          "faults": {
            "calls": 0,
            "cut": 0,
            "empty": 0,
          },
          "note": {
            "event": "reply_cut",
            "message": "The reply was cut off after its calls: the model reached its output limit. The model is told.",
          },
          "tell": "Your reply was cut off at the output limit after these calls; they ran. Whatever was to follow is missing.",
        },
        undefined,
      ]
    `);
  });
});
