import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {fettle, modelServer, place} from './support.ts';

/** Runs a headless task against a script; the answer, the code and what stderr says in the end. */
async function run(script: ModelScript, args: readonly string[] = []): Promise<{code: number | null; stdout: string; last: string}> {
  const server = await modelServer(script);
  const at = await place({'a.txt': 'one\n'}, server.config);
  const {code, stdout, stderr} = await fettle(at, ['exec', ...args, 'do it']);
  const lines = stderr.trimEnd().split('\n');
  const from = lines.findLastIndex((line) => line.startsWith('fettle:'));
  return {code, stdout, last: from < 0 ? '' : lines.slice(from).join('\n')};
}

const read = (path: string) => ({toolCalls: [{name: 'read', arguments: {path}}]});

describe('exit codes (design 6)', () => {
  it('0: done', async () => {
    expect(await run([{text: 'Yes.'}])).toEqual({code: 0, stdout: 'Yes.\n', last: ''});
  });

  it('1: the model fell silent', async () => {
    const {code, stdout, last} = await run([{text: ''}, {text: ''}, {text: ''}]);
    expect([code, stdout, last]).toEqual([
      1,
      '',
      'fettle: The model ended without an answer, 3 times in a row.\n  hint: Try again, or another model.',
    ]);
  });

  it('3: a call was denied, because nobody could be asked; the answer is there all the same', async () => {
    const {code, stdout, last} = await run([
      {toolCalls: [{name: 'bash', arguments: {command: 'touch x && rm a.txt'}}]},
      {text: 'I could not.'},
    ]);
    expect([code, stdout]).toEqual([3, 'I could not.\n']);
    expect(last).toBe(
      "fettle: A call was denied: bash.\n  hint: bash: allow it with --allow 'bash:touch *' --allow 'bash:rm a.txt', or with --mode full-auto\n  The answer is above, but something it needed was not allowed. `fettle permissions check` explains a decision.",
    );
  });

  it.each<[string, readonly string[], string]>([
    ['turns', ['--max-turns', '2'], 'fettle: The limit of 2 turns is reached.'],
    ['tokens', ['--max-tokens', '200'], 'fettle: The limit of 200 tokens is reached: 240 were used.'],
  ])('4: the limit of %s', async (_, args, message) => {
    const {code, last} = await run([read('a.txt'), read('b.txt'), read('c.txt')], args);
    expect([code, last.split('\n')[0]]).toEqual([4, message]);
  });

  it('4: the limit of time', async () => {
    const {code, last} = await run([{text: 'slow', stallAfter: 1}], ['--max-time', '0.3']);
    expect([code, last.split('\n')[0]]).toEqual([4, 'fettle: The limit of 0.3 s is reached.']);
  });

  it('5: the same call five times with the same result', async () => {
    const same = Array.from({length: 8}, () => read('a.txt'));
    const {code, last} = await run(same);
    expect(code).toBe(5);
    expect(last.split('\n')[1]).toBe(
      '  hint: The model sent the same call again and again. Say more about the task, or try another model.',
    );
  });

  it.each<[string, ModelScript[number], RegExp]>([
    ['401', {status: 401}, /^fettle: .*401.*\n {2}hint: /],
    ['429, twice', {status: 429, headers: {'retry-after': '0'}}, /^fettle: .*429/],
    ['500, twice', {status: 500}, /^fettle: .*500/],
    ['garbage', {garbage: '<html>hello</html>'}, /^fettle: /],
    ['half a stream', {text: 'half of it', halfStream: true}, /^fettle: /],
  ])('7: the provider answers %s', async (_, step, message) => {
    const {code, stdout, last} = await run([step, step]);
    expect([code, stdout]).toEqual([7, '']);
    expect(last).toMatch(message);
  });

  it('7: nothing listens there', async () => {
    const at = await place(
      {},
      'model = "test/m"\n[provider_limits]\nretries = 0\n[[custom_providers]]\nname = "test"\nformat = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\n',
    );
    const {code, stderr} = await sharedFettle(at, ['exec', 'hi']);
    expect(code).toBe(7);
    expect(stderr).toMatch(/fettle: .*\n {2}hint: /);
  });

  it.each<[string, string, readonly string[], RegExp]>([
    ['an unknown option', '', ['exec', '--modle', 'x', 'hi'], /unknown option '--modle'[\s\S]*hint: Did you mean one of --mode, --model\?/],
    ['a wrong choice', '', ['exec', '--mode', 'yolo', 'hi'], /'yolo' is invalid/],
    ['no prompt', 'model = "a/b"', ['exec'], /There is no prompt/],
    ['no model', '', ['exec', 'hi'], /No model is configured\.\n {2}hint: Name one/],
    ['an unknown provider', 'model = "opnai/gpt"', ['exec', 'hi'], /opnai/],
    ['broken TOML', 'model = "a', ['exec', 'hi'], /config\.toml:1/],
    ['a wrong type', 'mode = 3', ['exec', 'hi'], /config\.toml:1: mode must be one of plan, ask, accept-edits, full-auto, not 3/],
    ['an unknown toolset', 'toolset = "microcod"\nmodel = "ollama/x"', ['exec', 'hi'], /microcod/],
    ['a control character in the prompt', 'model = "a/b"', ['exec', 'a\u0007b'], /control character U\+0007/],
    ['an unknown session', 'model = "ollama/x"', ['exec', '--resume', 'thr_none', 'hi'], /thr_none/],
  ])('2: %s', async (_, config, args, message) => {
    const at = await place({}, config);
    const {code, stdout, stderr} = await sharedFettle(at, args);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('a missing folder is said in one line', async () => {
    const at = await place({}, 'model = "ollama/x"');
    const {code, stderr} = await sharedFettle(at, ['exec', '--cwd', join(at.work, 'none'), 'hi']);
    expect(stderr).toMatch(/^fettle: .*none.*\n {2}hint: .*\n$/);
    expect(code).toBe(2);
  });
});
