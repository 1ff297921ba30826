import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {JsonObject} from '../../src/base/json.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {loadSettings, withModel} from '../../src/sdk/settings/load-settings.ts';
import {type OpenedThread, openThread} from '../../src/sdk/thread/open-thread.ts';
import type {OpenThreadOptions} from '../../src/sdk/thread/thread-options.ts';
import {startModelServer, type ReceivedRequest, type ScriptedReply} from '../../src/testing/index.ts';
import {scratch} from '../support/scratch.ts';
import {IS_THOROUGH} from '../support/thorough.ts';
import {FORMATS, type Format} from './support.ts';

const SERVER = join(import.meta.dirname, 'changing-server.ts');
const TURNS = 100;

/** What grows in each format; all else of a body is the same for the whole thread, tools and system prompt included. */
const GROWS: Readonly<Record<Format, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
};

/** A request in the pieces, and the order, in which caches of providers compare it: what is fixed, then block by block. */
function piecesOf({format, body}: ReceivedRequest): string[] {
  const {[GROWS[format]]: list, ...fixed} = body;
  return [text(fixed), ...(list as JsonObject[]).flatMap(blocksOf)];
}

/** Turns that grow are compared by their blocks. */
function blocksOf({role, content, parts, ...rest}: JsonObject): string[] {
  const blocks = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [content ?? null];
  return blocks.map((block) => `${text(role)} ${text(block)} ${text(rest)}`);
}

/** Where a breakpoint lies is not part of what is compared (Anthropic › prompt caching). */
function text(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? '';
}

interface Kept {
  readonly pieces: number;
  readonly of: number;
  readonly bytes: number;
}

/** What of a request the one after it begins with, too. */
function kept(before: readonly string[], after: readonly string[]): Kept {
  const different = before.findIndex((piece, at) => piece !== after[at]);
  const pieces = different === -1 ? before.length : different;
  return {pieces, of: before.length, bytes: bytesOf(before.slice(0, pieces))};
}

function bytesOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
}

/** What the model does in a turn, by its number. All that is not named here is a word. */
function callsOf(turn: number): ScriptedReply['toolCalls'] {
  const call = (name: string, args: JsonObject) => [{name, arguments: args}];
  if (turn === 3) return call('exit_plan_mode', {plan: '# Plan\n1. Do it.'});
  if (turn % 10 === 4) return call('edit', {path: 'src/a.txt', old_string: `number ${turn - 4}`, new_string: `number ${turn + 6}`});
  if (turn % 10 === 5) return call('read', {path: 'src/a.txt'});
  if (turn % 10 === 6) return call('bash', {command: `seq ${turn}00`});
  if (turn === 17 || turn === 57) return call('read', {path: 'pkg/b.txt'});
  if (turn % 20 === 8) return call('mcp__changing__tool_0', {});
  if (turn === 29) return call('tool_search', {query: 'command'});
  if (turn === 30) return call('start_command', {command: 'echo later'});
  if (turn === 49) return [...(call('grep', {pattern: 'number'}) ?? []), ...(call('read', {path: 'missing.txt'}) ?? [])];
  return undefined;
}

interface Session {
  open(resume?: 'latest'): Promise<OpenedThread>;
  run(thread: OpenedThread, turn: number): Promise<void>;
  readonly requests: readonly ReceivedRequest[];
  readonly violations: readonly string[];
  readonly events: readonly ThreadEvent[];
  /** How the conversation was shortened, by the number of requests before it. */
  readonly shortened: ReadonlyMap<number, string>;
}

async function session(format: Format, mode: 'plan' | 'accept-edits' = 'plan'): Promise<Session> {
  /** 0: the calls of the turn were made. */
  let turn = 0;
  const server = await startModelServer(
    Array.from({length: 5 * TURNS}, () => (request: ReceivedRequest): ScriptedReply => {
      if (isSummary(request)) return {text: `## Done\n- ${'what was done '.repeat(10)}`};
      const toolCalls = callsOf(turn);
      const said = turn;
      turn = 0;
      return toolCalls === undefined ? {text: `Done with ${said}.`, reasoning: 'I think.'} : {toolCalls, reasoning: 'I look.'};
    }),
  );
  onTestFinished(() => server.close());
  const home = await scratch({
    'AGENTS.md': 'Of the person.\n',
    'config.toml': `model = "test/model-1"
[context]
window_tokens = 16000
[[custom_providers]]
name = "test"
format = "${format}"
base_url = "${server.url}${FORMATS[format]}"
[[mcp_servers]]
name = "changing"
transport = "stdio"
command = "${process.execPath}"
args = ["${SERVER}"]
`,
  });
  const cwd = await scratch({
    '.git/HEAD': '',
    'AGENTS.md': 'Of the project.\n',
    'pkg/AGENTS.md': 'Of the package.\n',
    'pkg/b.txt': 'b\n',
    'src/a.txt': `number 0\n${'words of a file that is read\n'.repeat(40)}`,
  });
  const env = {PATH: process.env['PATH'], HOME: home, FETTLE_HOME: home};
  const loaded = withModel(await loadSettings({cwd, env, home, trust: 'here', flags: {'--mode': mode, '--sandbox': 'off'}}));
  const events: ThreadEvent[] = [];
  const shortened = new Map<number, string>();
  const open = async (resume?: 'latest'): Promise<OpenedThread> => await openThread({...options, resume}, new AbortController().signal);
  const options: OpenThreadOptions = {
    session: loaded,
    approve: async () => ({decision: 'allow'}),
    askUser: async (questions) => ({
      answers: questions.map(({question, options}) => ({question, answer: options[0]?.label ?? 'yes', isOther: false})),
      cancelled: false,
    }),
    onEvent(event) {
      events.push(event);
      if (event.type === 'thread.compact_boundary') shortened.set(server.requests.length, `${event.trigger}, ${event.mode}`);
    },
  };
  const run = async (thread: OpenedThread, next: number): Promise<void> => {
    turn = next;
    const {outcome, message} = await thread.run(`turn ${next}, please`, new AbortController().signal);
    expect([next, outcome, message]).toEqual([next, 'success', undefined]);
  };
  return {open, run, requests: server.requests, violations: server.violations, events, shortened};
}

/** One row for each request that does not begin with all of the one before it. */
function shrinkages({requests, shortened}: Session): {because: string; pieces: number}[] {
  const rows: {because: string; pieces: number}[] = [];
  let before: {at: number; pieces: string[]} | undefined;
  for (const [at, request] of requests.entries()) {
    if (isSummary(request)) continue;
    const pieces = piecesOf(request);
    const same = before === undefined ? undefined : kept(before.pieces, pieces);
    if (before !== undefined && same !== undefined && same.pieces < same.of) {
      const reasons = [...shortened].filter(([count]) => before !== undefined && count > before.at && count <= at);
      rows.push({because: reasons.map(([, reason]) => reason).join('; '), pieces: same.pieces});
    }
    before = {at, pieces};
  }
  return rows;
}

/** Share of all bytes sent that stood in the same place of the request before. */
function cacheable(requests: readonly ReceivedRequest[]): number {
  const all = requests.filter((request) => !isSummary(request)).map(piecesOf);
  const same = all.map((pieces, at) => (at === 0 ? 0 : kept(all[at - 1] ?? [], pieces).bytes));
  return same.reduce((sum, bytes) => sum + bytes, 0) / all.reduce((sum, pieces) => sum + bytesOf(pieces), 0);
}

function isSummary({body}: ReceivedRequest): boolean {
  return text(body).includes('<transcript>');
}

/** What was done, by tool, and how often it worked. */
function worked(events: readonly ThreadEvent[]): Readonly<Record<string, number>> {
  const outputs = events.flatMap((event) => (event.type === 'item.completed' && event.item.type === 'tool_output' ? [event.item] : []));
  const names = outputs.filter((output) => !output.is_error).map((output) => output.tool_name);
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));
}

describe('the prefix of requests that a provider can cache (seed 002 › cache-stable prompt assembly)', () => {
  // The others differ in their words alone.
  const formats: readonly Format[] = IS_THOROUGH ? (Object.keys(FORMATS) as Format[]) : ['openai-chat', 'anthropic'];

  it.each(formats)('%s: over 100 turns it shrinks only where the conversation was shortened', {timeout: 180_000}, async (format) => {
    const running = await session(format);
    const {requests, violations, events} = running;
    const {signal} = new AbortController();
    const thread = await running.open();
    for (let turn = 1; turn <= TURNS; turn += 1) {
      if (turn === 90) await thread.compact(undefined, signal);
      await running.run(thread, turn);
    }
    await thread.close();
    expect(violations).toEqual([]);
    expect(worked(events)).toEqual({
      exit_plan_mode: 1,
      edit: 10,
      read: 12,
      bash: 10,
      mcp__changing__tool_0: 5,
      tool_search: 1,
      start_command: 1,
      grep: 1,
    });
    // Tools and system prompt stay even then, but for the first time, when the tool that recalls is added; one format has the prompt as its
    // first message.
    const fixed = format === 'openai-chat' ? 2 : 1;
    const rows = shrinkages(running);
    // How often depends on what fills the window; each time is one of these, and nothing else ever shortens the prefix.
    expect(rows).toEqual(
      rows.map(({because}, at) => ({because: because === 'manual, local' ? because : 'auto, local', pieces: at === 0 ? 0 : fixed})),
    );
    expect(rows).toHaveLength(running.shortened.size);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.length).toBeLessThanOrEqual(5);
    expect(cacheable(requests)).toBeGreaterThan(0.94);
  });

  it('a session that is resumed goes on with the same bytes', async () => {
    const running = await session('anthropic', 'accept-edits');
    for (const resume of [undefined, 'latest'] as const) {
      const thread = await running.open(resume);
      for (const turn of [14, 17, 28]) await running.run(thread, resume === undefined ? turn : turn + 10);
      await thread.close();
    }
    expect([running.violations, running.requests.length, shrinkages(running)]).toEqual([[], 10, []]);
  });
});
