import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, FORMATS, modelServer, place, type Format} from './support.ts';

const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

describe.each(FORMAT_NAMES)('exec over %s', (format) => {
  it('reads in parallel, edits, runs a command and answers; every request fits the format', async () => {
    const server = await modelServer(
      [
        {
          reasoning: 'First look at both files.',
          text: 'I look at the files.',
          toolCalls: [
            {name: 'read', arguments: {path: 'a.txt'}},
            {name: 'read', arguments: {path: 'b.txt'}},
          ],
        },
        {toolCalls: [{name: 'edit', arguments: {path: 'a.txt', old_string: 'one', new_string: 'two'}}]},
        {reasoning: 'Check it.', toolCalls: [{name: 'bash', arguments: {command: 'cat a.txt'}}]},
        {text: 'a.txt says two now.', usage: {input_tokens: 300, cached_input_tokens: 200, output_tokens: 5}},
      ],
      format,
    );
    const at = await place({'a.txt': 'one\r\n', 'b.txt': 'other\n'}, server.config);
    const run = await sharedFettle(at, ['exec', '--json', '--mode', 'accept-edits', '--allow', 'bash:cat *', 'make it two']);

    expect(server.violations).toEqual([]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(await readFile(join(at.work, 'a.txt'), 'utf8')).toBe('two\r\n');
    expect(server.requests.map((request) => request.format)).toEqual([format, format, format, format]);

    const events = eventsOf(run);
    const items = events.filter((event) => event['type'] === 'item.completed').map((event) => (event['item'] as {type: string}).type);
    // Gemini ends a reply with an empty text that carries a signature.
    const texts = items.filter((type, n) => type !== 'reasoning' && !(type === 'agent_message' && items[n - 1] === type));
    expect(texts).toEqual([
      'user_message',
      'agent_message',
      'tool_invocation',
      'tool_output',
      'tool_invocation',
      'tool_output',
      'tool_invocation',
      'file_change',
      'tool_output',
      'tool_invocation',
      'command_execution',
      'tool_output',
      'agent_message',
    ]);
    expect(events.at(-1)).toMatchObject({
      type: 'thread.completed',
      outcome_code: 'success',
      result: 'a.txt says two now.',
      num_turns: 1,
      usage: {input_tokens: 600, cached_input_tokens: 200, output_tokens: 65},
    });
  });

  it('calls as careless models write them: each gets its answer, and the conversation goes on', async () => {
    // The Gemini format carries no text that is not JSON.
    const broken =
      format === 'gemini'
        ? []
        : [
            {name: 'read', arguments: '{"path":'},
            {name: 'read', arguments: 'a.txt'},
          ];
    const toolCalls = [
      {name: 'Read', arguments: {file_path: 'a.txt'}, id: 'c1'},
      {name: 'functions.read', arguments: {path: 'b.txt'}, id: 'c1'},
      {name: 'what is in a.txt?', arguments: {}},
      {name: 'x'.repeat(300), arguments: {}},
      ...broken,
    ];
    const server = await modelServer([{toolCalls}, {text: 'done'}], format);
    const at = await place({'a.txt': 'one\n', 'b.txt': 'other\n'}, server.config);
    const run = await sharedFettle(at, ['exec', '--json', 'go']);
    const outputs = eventsOf(run).flatMap(({type, item}) => {
      const {type: kind, is_error: isError, id} = (item ?? {}) as {type?: string; is_error?: boolean; id?: string};
      return type === 'item.completed' && kind === 'tool_output' ? [{isError, id}] : [];
    });
    expect([run.code, server.violations]).toEqual([0, []]);
    expect(outputs.map(({isError}) => isError)).toEqual([false, false, true, true, ...broken.map(() => true)]);
    expect(new Set(outputs.map(({id}) => id)).size).toBe(toolCalls.length);
  });

  it('resumes a conversation: the provider gets what it sent before, unchanged', async () => {
    const server = await modelServer(
      [
        {reasoning: 'Hm.', text: 'Reading.', toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]},
        {text: 'It says one.'},
        {text: 'As I said: one.'},
      ],
      format,
    );
    const at = await place({'a.txt': 'one\n'}, server.config);
    await sharedFettle(at, ['exec', 'what does a.txt say?']);
    const run = await fettle(at, ['exec', '--last', 'say it again']);
    expect([run.code, run.stdout, server.violations]).toEqual([0, 'As I said: one.\n', []]);
    const [first, second, third] = server.requests.map(({body}) => messagesOf(format, body));
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(third?.slice(0, second?.length)).toEqual(second);
  });
});

/** The conversation in a request, without the marks for the cache, which move on. */
function messagesOf(format: Format, body: Record<string, unknown>): unknown[] {
  const key = {'openai-chat': 'messages', 'openai-responses': 'input', anthropic: 'messages', gemini: 'contents'}[format];
  const text = JSON.stringify(body[key]).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
  return JSON.parse(text) as unknown[];
}
