import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {ReceivedRequest, ScriptedStep} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, modelServer, place, FORMATS, type Format} from './support.ts';

const FILES = Object.fromEntries(
  Array.from({length: 8}, (_, at) => [`${at}.txt`, `the number is ${at}\n${'word word word word word word word\n'.repeat(130)}`]),
);
const reads = (at: number): ScriptedStep => ({toolCalls: [{name: 'read', arguments: {path: `${at}.txt`}}]});
const SMALL = '[context]\nwindow_tokens = 12000\n';
const SUMMARY = '## Done\n- read the first files\n## Facts\n- the number in 0.txt is 0 (0.txt:1)';

/** Answers the request that summarises, wherever it comes, and keeps what it held. */
function summarising(steps: readonly ScriptedStep[], summary: ScriptedStep): {script: ScriptedStep[]; asked: string[]} {
  const asked: string[] = [];
  let at = 0;
  const next = (request: ReceivedRequest): ReturnType<Extract<ScriptedStep, (...args: never) => unknown>> => {
    const body = JSON.stringify(request.body);
    const isSummary = body.includes('<transcript>');
    if (isSummary) asked.push(body);
    const step = isSummary ? summary : steps[at];
    if (!isSummary) at += 1;
    return typeof step === 'function' ? step(request) : (step ?? {text: 'out of steps'});
  };
  return {script: Array.from({length: steps.length + 8}, () => next), asked};
}

describe('a session that outgrows the window of its model', () => {
  it.each(Object.keys(FORMATS) as Format[])('%s: is summarised and goes on; what the person said is kept word for word', async (format) => {
    const {script, asked} = summarising([...Array.from({length: 8}, (_, at) => reads(at)), {text: 'All read.'}], {text: SUMMARY});
    const server = await modelServer(script, format);
    const at = await place(FILES, `${server.config}${SMALL}`);
    const run = await sharedFettle(at, ['exec', '--json', 'Read all the files. Never write!']);
    expect([run.code, server.violations]).toEqual([0, []]);
    const boundaries = eventsOf(run).filter(({type}) => type === 'thread.compact_boundary');
    expect(boundaries.map(({trigger, mode}) => [trigger, mode])[0]).toEqual(['auto', 'local']);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked[0]?.length).toBeLessThan(30_000);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    expect(last).toContain('Never write!');
    expect(last).toContain('the number in 0.txt is 0 (0.txt:1)');
  });

  it('the model recalls by its number what it can no longer see', async () => {
    const steps: ScriptedStep[] = [
      ...Array.from({length: 8}, (_, at) => reads(at)),
      {toolCalls: [{name: 'recall', arguments: {item: 3}}]},
      (request) => ({
        text: /\[item 3: tool_output\] read.{0,20}the number is 0/.test(JSON.stringify(request.body)) ? 'It is 0.' : 'I do not see it.',
      }),
    ];
    const {script} = summarising(steps, {text: SUMMARY});
    const server = await modelServer(script);
    const at = await place(FILES, `${server.config}${SMALL}`);
    expect((await sharedFettle(at, ['exec', 'Read all.'])).stdout).toBe('It is 0.\n');
  });

  it.each(['fettle', 'vibe', 'microcode'])('%s: is told of recall once something left, and finds it by words', async (toolset) => {
    const name = toolset === 'vibe' ? 'read_file' : 'read';
    const steps: ScriptedStep[] = [
      ...Array.from({length: 8}, (_, at) => ({toolCalls: [{name, arguments: {path: `${at}.txt`}}]})),
      {toolCalls: [{name: 'recall', arguments: {query: 'what is the number in the first file', file: '0.txt'}}]},
      (request) => ({
        text: /\[item 3: \w+ [^\]]*0\.txt[^\]]*\]\\n.{0,40}the number is 0/.test(JSON.stringify(request.body))
          ? 'It is 0.'
          : 'I do not see it.',
      }),
    ];
    const {script} = summarising(steps, {text: SUMMARY});
    const server = await modelServer(script);
    const at = await place(FILES, `${server.config}${SMALL}`);
    expect((await sharedFettle(at, ['exec', '--toolset', toolset, 'Read all.'])).stdout).toBe('It is 0.\n');
    const told = server.requests.map(({body}) => JSON.stringify(body['tools'] ?? []).includes('"name":"recall"'));
    expect([told[0], told.at(-1)]).toEqual([false, true]);
  });

  it('a summary that fails loses nothing: the session goes on with its memory, says so, and can be resumed', async () => {
    const {script} = summarising([...Array.from({length: 8}, (_, at) => reads(at)), {text: 'All read.'}, {text: 'Resumed.'}], {
      status: 400,
    });
    const server = await modelServer(script);
    const at = await place(FILES, `${server.config}${SMALL}`);
    const run = await sharedFettle(at, ['exec', 'Read all the files.']);
    expect([run.code, run.stdout]).toEqual([0, 'All read.\n']);
    expect(run.stderr).toContain('shortened without a summary');
    expect((await fettle(at, ['exec', '--last', 'Go on.'])).stdout).toBe('Resumed.\n');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Read all the files.');
  });

  it('a provider that refuses the length is asked again with less', async () => {
    let refused = 0;
    const steps: ScriptedStep[] = [
      ...Array.from({length: 4}, (_, at) => reads(at)),
      () => {
        refused += 1;
        return {
          status: 400,
          body: {error: {message: 'This model has a maximum context length of 4000 tokens', code: 'context_length_exceeded'}},
        };
      },
      {text: 'Now it fits.'},
    ];
    const {script} = summarising(steps, {text: SUMMARY});
    const server = await modelServer(script);
    const at = await place(FILES, server.config);
    const run = await sharedFettle(at, ['exec', '--json', 'Read.']);
    expect([run.code, refused]).toEqual([0, 1]);
    expect(eventsOf(run).flatMap((event) => (event['type'] === 'thread.compact_boundary' ? [event['trigger']] : []))).toEqual(['overflow']);
  });

  it('the memory lies beside the log, for its owner alone', async () => {
    const {script} = summarising([reads(0), {text: 'Read.'}], {text: SUMMARY});
    const server = await modelServer(script);
    const at = await place(FILES, server.config);
    const run = await sharedFettle(at, ['exec', '--json', 'Read one.']);
    const id = String(eventsOf(run)[0]?.['thread_id']);
    const day = new Date().toISOString().slice(0, 10);
    const memory: unknown = JSON.parse(await readFile(`${at.home}/state/sessions/${day}/${id}.jsonl.memory.json`, 'utf8'));
    expect(memory).toMatchObject({schema_version: 1, session_id: id, objective: 'Read one.'});
  });
});

describe('what left the conversation', () => {
  it('can be shown to people, item by item; a fork with a summary carries the memory and goes its own way', async () => {
    const {script} = summarising([...Array.from({length: 8}, (_, at) => reads(at)), {text: 'All read.'}, {text: 'Forked.'}], {
      text: SUMMARY,
    });
    const server = await modelServer(script);
    const at = await place(FILES, `${server.config}${SMALL}`);
    const id = String(eventsOf(await sharedFettle(at, ['exec', '--json', 'Read all. Never write!']))[0]?.['thread_id']);

    const dropped = await sharedFettle(at, ['sessions', 'show', id, '--dropped']);
    expect(dropped.stdout.split('\n').slice(0, 3)).toEqual([
      '[item 1: user_message] Read all. Never write!',
      '[item 2: tool_invocation] read {"path":"0.txt"}',
      expect.stringMatching(/^\[item 3: tool_output\] read 1 the number is 0 2 word/),
    ]);
    expect((await sharedFettle(at, ['sessions', 'show', id, '--item', '1-2'])).stdout).toBe(
      '[item 1: user_message] Read all. Never write!\n\n[item 2: tool_invocation] read {"path":"0.txt"}\n',
    );
    expect((await sharedFettle(at, ['sessions', 'show', id, '--item', 'x'])).code).toBe(2);

    const fork = (await sharedFettle(at, ['sessions', 'fork', id, '--summarize'])).stdout.trim();
    expect((await fettle(at, ['exec', '--resume', fork, 'And now?'])).stdout).toBe('Forked.\n');
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect([sent.includes('Never write!'), sent.includes('the number in 0.txt is 0 (0.txt:1)'), sent.includes('And now?')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(sent.length).toBeLessThan(60_000);
  });

  it('a whole fork has every item of the session', async () => {
    const server = await modelServer([{text: 'One.'}, {text: 'Two.'}]);
    const at = await place({}, server.config);
    const id = String(eventsOf(await sharedFettle(at, ['exec', '--json', 'Say one.']))[0]?.['thread_id']);
    const fork = (await sharedFettle(at, ['sessions', 'fork', id])).stdout.trim();
    expect((await fettle(at, ['exec', '--resume', fork, 'Say two.'])).stdout).toBe('Two.\n');
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect([sent.includes('Say one.'), sent.includes('One.')]).toEqual([true, true]);
  });
});
