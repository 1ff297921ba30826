import {describe, expect, it} from 'vitest';
import {isJsonObject, type JsonObject} from '../../src/base/json.ts';
import type {ReceivedRequest, ScriptedAnswer, ScriptedStep} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, modelServer, place, type Finished, type Format} from './support.ts';

const SUMMARY = '## Done\n- read the first files\n## Facts\n- the number in 0.txt is 0 (0.txt:1)';
const CONFIG: Readonly<Record<string, string>> = {
  'openai-responses': '[context]\ncompaction = "provider"\nwindow_tokens = 12000\n',
  anthropic: '[context]\ncompaction = "provider"\nwindow_tokens = 120000\n',
};
const LINES: Readonly<Record<string, number>> = {'openai-responses': 130, anthropic: 700};
const FILES = 16;

interface Session {
  readonly run: Finished;
  readonly again: Finished;
  readonly requests: readonly ReceivedRequest[];
  readonly compactions: readonly ReceivedRequest[];
  readonly violations: readonly string[];
}

/** Reads files until there is no room, is told to go on afterwards; each request that asks for a compaction gets `answer`. */
async function session(format: Format, answer: ScriptedAnswer, config = CONFIG[format] ?? ''): Promise<Session> {
  const lines = 'word word word word word word word\n'.repeat(LINES[format] ?? 1);
  const files = Object.fromEntries(Array.from({length: FILES}, (_, at) => [`${at}.txt`, `the number is ${at}\n${lines}`]));
  let read = 0;
  const step: ScriptedStep = (request) => {
    if (isCompaction(request)) return answer;
    if (JSON.stringify(request.body).includes('<transcript>')) return {text: SUMMARY};
    if (read === FILES) return {text: 'All read.'};
    read += 1;
    return {toolCalls: [{name: 'read', arguments: {path: `${read - 1}.txt`}}]};
  };
  const server = await modelServer(
    Array.from({length: 60}, () => step),
    format,
  );
  const at = await place(files, server.config.replace('test/model-1', 'test/claude-sonnet-4-6') + config);
  const run = await sharedFettle(at, ['exec', '--json', 'Read all the files. Never write!']);
  const again = await fettle(at, ['exec', '--last', 'Go on.']);
  const {requests, violations} = server;
  return {run, again, requests, violations, compactions: requests.filter(isCompaction)};
}

function isCompaction({path, body}: ReceivedRequest): boolean {
  return path.endsWith('/compact') || body['context_management'] !== undefined;
}

function modesOf(run: Finished): unknown[] {
  return [...new Set(eventsOf(run).flatMap(({type, mode}) => (type === 'thread.compact_boundary' ? [mode] : [])))];
}

describe('compaction by the provider (vtcode architecture › compaction triggers: by provider, else local)', () => {
  it('openai-responses: its window goes in front, the memory with the words of the person behind it; also when the session is resumed', async () => {
    const {run, again, requests, compactions, violations} = await session('openai-responses', {text: 'All that happened.'});
    expect([run.code, again.code, again.stdout, violations, modesOf(run)]).toEqual([0, 0, 'All read.\n', [], ['provider']]);
    expect(compactions.map(({path, body}) => [path, Object.keys(body)])[0]).toEqual([
      '/v1/responses/compact',
      ['model', 'prompt_cache_key', 'instructions', 'input'],
    ]);
    const input = requests.at(-1)?.body['input'] as JsonObject[];
    const window = input.findIndex(({type}) => type === 'compaction');
    expect(input.slice(0, window).every(({role}) => role === 'user')).toBe(true);
    expect(JSON.stringify(input[window + 1])).toMatch(/<session_memory>.*Never write!/);
    expect(JSON.stringify(input.at(-1))).toContain('Go on.');
  });

  it('anthropic: the summary of the provider is taken into the memory, what it took is counted, and no later request depends on it', async () => {
    const usage = {input_tokens: 70_000, cached_input_tokens: 60_000, output_tokens: 900};
    const {run, again, requests, compactions, violations} = await session('anthropic', {text: SUMMARY, usage});
    expect([run.code, again.code, violations, modesOf(run), compactions.length]).toEqual([0, 0, [], ['provider'], 1]);
    expect([compactions[0]?.headers['anthropic-beta'], compactions[0]?.body['context_management']]).toEqual([
      'compact-2026-01-12',
      {
        edits: [
          {
            type: 'compact_20260112',
            trigger: {type: 'input_tokens', value: 50_000},
            pause_after_compaction: true,
            instructions: expect.stringContaining('## Open questions') as string,
          },
        ],
      },
    ]);
    const before = requests[requests.findIndex(isCompaction) - 1]?.body;
    expect([compactions[0]?.body['tools'], compactions[0]?.body['system']]).toEqual([before?.['tools'], before?.['system']]);
    const last = JSON.stringify(requests.at(-1)?.body);
    expect([last.includes('Never write!'), last.includes('the number in 0.txt is 0 (0.txt:1)')]).toEqual([true, true]);
    const total = eventsOf(run).at(-1)?.['usage'];
    expect(isJsonObject(total as JsonObject) && (total as JsonObject)['cached_input_tokens']).toBe(60_000);
  });

  it.each<[Format, ScriptedAnswer]>([
    ['openai-responses', {status: 404}],
    ['openai-responses', {text: ''}],
    ['openai-responses', {garbage: 'data: what?\n\n'}],
    ['anthropic', {status: 400}],
    ['anthropic', {text: ''}],
    ['anthropic', {text: 'I read on.', toolCalls: [{name: 'read', arguments: {path: '0.txt'}}]}],
  ])('%s: where that fails (%j) it is summarised as ever, and the session goes on', async (format, answer) => {
    const {run, again, requests, compactions, violations} = await session(format, answer);
    expect([run.code, again.code, violations, modesOf(run), compactions.length > 0]).toEqual([0, 0, [], ['local'], true]);
    expect(run.stdout).toContain('The provider did not shorten the conversation: ');
    expect(JSON.stringify(requests.at(-1)?.body)).toContain('Never write!');
  });

  it('nobody is asked for it where the configuration does not say so', async () => {
    const local = (CONFIG['openai-responses'] ?? '').replace('compaction = "provider"\n', '');
    const {run, compactions} = await session('openai-responses', {text: 'x'}, local);
    expect([modesOf(run), compactions]).toEqual([['local'], []]);
  });
});
