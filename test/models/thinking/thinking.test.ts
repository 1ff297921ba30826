import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ModelEvent, ModelReply, ModelRequest, Provider} from '../../../src/models/provider.ts';
import {separateThinking} from '../../../src/models/thinking/separate-thinking.ts';
import {splitThinking} from '../../../src/models/thinking/split-thinking.ts';
import type {AssistantPart} from '../../../src/protocol/messages.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';

const REQUEST: ModelRequest = {system: '', messages: [], tools: []};

/** A provider that sends a text in the given pieces, then the reply as a whole. */
function sends(pieces: readonly string[], parts: readonly AssistantPart[] = [{type: 'text', text: pieces.join('')}]): Provider {
  const reply: ModelReply = {message: {role: 'assistant', parts}, stopReason: 'end', usage: NO_USAGE, costUsd: 0, retries: 0};
  return {
    model: 'test/model',
    async *stream() {
      for (const delta of pieces) yield {type: 'text', delta};
      yield {type: 'done', reply};
    },
  };
}

interface Heard {
  readonly reasoning: string;
  readonly text: string;
  readonly parts: readonly AssistantPart[];
}

async function hear(provider: Provider): Promise<Heard> {
  const events: ModelEvent[] = [];
  for await (const event of separateThinking(provider).stream(REQUEST, new AbortController().signal)) events.push(event);
  const deltas = (type: 'text' | 'reasoning'): string => events.map((event) => (event.type === type ? event.delta : '')).join('');
  const last = events.at(-1);
  return {reasoning: deltas('reasoning'), text: deltas('text'), parts: last?.type === 'done' ? last.reply.message.parts : []};
}

/** [what it is, the text, the reasoning, the answer]; without the last two it is an answer as it stands. */
const TEXTS: [name: string, text: string, thoughts?: string, answer?: string][] = [
  ['think', '<think>\nHm.\n</think>\n\nDone.', 'Hm.', 'Done.'],
  ['think, on one line', '<think>Hm.</think>Done.', 'Hm.', 'Done.'],
  ['white space before it', '\n <think>Hm.</think> Done.', 'Hm.', 'Done.'],
  ['thinking', '<thinking>Hm.</thinking>\nDone.', 'Hm.', 'Done.'],
  ['THINK in capitals', '<THINK>Hm.</THINK>Done.', 'Hm.', 'Done.'],
  ['Magistral', '[THINK]Hm.[/THINK]Done.', 'Hm.', 'Done.'],
  ['Kimi', '◁think▷Hm.◁/think▷Done.', 'Hm.', 'Done.'],
  ['Seed-OSS', '<seed:think>Hm.</seed:think>Done.', 'Hm.', 'Done.'],
  ['Command A', '<|START_THINKING|>Hm.<|END_THINKING|>Done.', 'Hm.', 'Done.'],
  ['empty', '<think>\n\n</think>\n\nDone.', '', 'Done.'],
  ['two, one behind the other', '<think>Hm.</think>\n<think>Aha.</think>\nDone.', 'Hm.\nAha.', 'Done.'],
  ['never closed', '<think>Hm. Let me see', 'Hm. Let me see', ''],
  ['nothing else', '<think>Hm.</think>', 'Hm.', ''],
  [
    'a mention of the closing tag inside',
    '<think>It ends with `</think>`, I know.</think>Done.',
    'It ends with `</think>`, I know.',
    'Done.',
  ],
  ['tags in the answer behind it', '<think>Hm.</think>Use <think> and </think>.', 'Hm.', 'Use <think> and </think>.'],
  ['a closing tag that was left over', '\n</think>\n\nDone.', '', 'Done.'],
  ['begun inside, a line of its own', 'Hm. Let me see.\n</think>\n\nDone.', 'Hm. Let me see.', 'Done.'],
  ['begun inside, no white space', 'Hm. Let me see.</think>Done.', 'Hm. Let me see.', 'Done.'],
  ['begun inside, a new line behind it', 'Hm. Let me see.</think>\nDone.', 'Hm. Let me see.', 'Done.'],
  ['begun inside, nothing behind it', 'Hm. Let me see.\n</think>', 'Hm. Let me see.', ''],
  ['prose that names the tag', 'The <think> tag holds reasoning.'],
  ['prose that names both', 'Reasoning stands between <think> and </think>.'],
  ['prose that names the closing one', 'The reasoning ends with </think> and the answer follows.'],
  ['prose that names the closing one at the end of a line', 'The reasoning ends with </think>\nand the answer follows.'],
  ['inline code', 'Qwen writes `</think>` before its answer.'],
  ['inline code at the beginning', '`<think>` opens the reasoning, `</think>` closes it.'],
  ['a fence', 'It looks like this:\n```\nHm.\n</think>\nDone.\n```'],
  ['a fence at the beginning', '```\n<think>Hm.</think>\n```'],
  ['code', 'const end = text.indexOf("</think>");'],
  ['a regular expression', 'Use /<think>([^]*)<\\/think>/ for it.'],
  ['both tags in the middle', 'The reply was:\n<think>\nHm.\n</think>\nDone.'],
  ['another tag that begins like it', '<thinker>Rodin</thinker>'],
  ['a list', '[THIN] is not a tag.'],
];

describe('reasoning that was written into the text (issue › endings: <think> is reasoning, not answer)', () => {
  it.each(TEXTS)('%s', (_name, text, thoughts, answer) => {
    expect(splitThinking(text, true)).toEqual(thoughts === undefined ? undefined : {thoughts, answer});
  });

  it.each(TEXTS)('%s: the same in a reply, and once it was split it stays so (a recording)', async (_name, text, thoughts, answer) => {
    const {parts} = await hear(sends([text]));
    const expected: AssistantPart[] = [
      ...(thoughts === undefined || thoughts === '' ? [] : [{type: 'reasoning' as const, text: thoughts}]),
      ...(answer === '' ? [] : [{type: 'text' as const, text: answer ?? text}]),
    ];
    expect(parts).toEqual(expected);
    expect((await hear(sends([text], expected))).parts).toEqual(expected);
  });

  it.each(TEXTS.filter(([name]) => !name.startsWith('begun inside')))(
    '%s: streamed in any pieces',
    async (_name, text, thoughts, answer) => {
      const cuts = fc.array(fc.nat(text.length), {maxLength: 12}).map((list) => [0, ...list, text.length].sort((a, b) => a - b));
      await fc.assert(
        fc.asyncProperty(cuts, async (at) => {
          const heard = await hear(sends(at.slice(1).map((to, index) => text.slice(at[index], to))));
          expect([heard.reasoning.replaceAll(/\s+/g, ''), heard.text]).toEqual([(thoughts ?? '').replaceAll(/\s+/g, ''), answer ?? text]);
        }),
        {numRuns: 60},
      );
    },
  );

  it('a retry begins anew', async () => {
    const reply: ModelReply = {
      message: {role: 'assistant', parts: [{type: 'text', text: 'Done.'}]},
      stopReason: 'end',
      usage: NO_USAGE,
      costUsd: 0,
      retries: 1,
    };
    const {reasoning, text} = await hear({
      model: 'test/model',
      async *stream() {
        yield {type: 'text', delta: '<think>Hm'};
        yield {type: 'retry', attempt: 1, delayMs: 0, reason: 'It broke.'};
        yield {type: 'text', delta: 'Done.'};
        yield {type: 'done', reply};
      },
    });
    expect([reasoning, text]).toEqual(['', 'Done.']);
  });

  it('a reply with reasoning of its own has no second one that is only closed; what a provider wants back is kept', async () => {
    const native = {format: 'openai-chat' as const, data: {reasoning_content: 'Hm.'}};
    const parts: AssistantPart[] = [
      {type: 'reasoning', text: 'Hm.', native},
      {type: 'text', text: 'The end.\n</think>\nDone.'},
      {type: 'tool_call', id: 'a', name: 'read', arguments: '{}'},
    ];
    expect((await hear(sends([], parts))).parts).toEqual(parts);
  });
});
