import fc from 'fast-check';
import type {Message} from '../../../src/protocol/messages.ts';

export const user = (text: string): Message => ({role: 'user', text});

/** A reply with one call, and its result. */
export function called(name: string, args: object, result: {text: string; item?: number; isError?: boolean}): Message[] {
  const callId = `call_${result.item ?? 0}`;
  return [
    {role: 'assistant', parts: [{type: 'tool_call', id: callId, name, arguments: JSON.stringify(args)}]},
    {role: 'tool', results: [{callId, name, isError: false, ...result}]},
  ];
}

export const said = (text: string): Message => ({role: 'assistant', parts: [{type: 'text', text}]});

/** Any conversation of the form that histories have. */
export const conversation = fc
  .array(
    fc.oneof(
      fc.string({maxLength: 40}).map((text) => [user(text)]),
      fc.string({maxLength: 40}).map((text) => [said(text)]),
      fc
        .record({
          path: fc.constantFrom('a.ts', 'b.ts'),
          offset: fc.option(fc.nat(30), {nil: undefined}),
          limit: fc.option(fc.nat(30), {nil: undefined}),
          size: fc.nat(1500),
          isError: fc.boolean(),
          item: fc.nat(500),
        })
        .map(({path, offset, limit, size, isError, item}) =>
          called('read', {path, offset, limit}, {text: 'x'.repeat(size), isError, item}),
        ),
    ),
    {maxLength: 25},
  )
  .map((groups) => groups.flat());
