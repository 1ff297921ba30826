import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript, ScriptedReply} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, modelServer, place, type Format} from './support.ts';

interface Given {
  readonly script: ModelScript;
  readonly format?: Format;
  readonly args?: readonly string[];
}

async function run({script, format, args = []}: Given) {
  const server = await modelServer(script, format);
  const at = await place({'a.txt': 'one\n'}, server.config);
  const finished = await sharedFettle(at, ['exec', '--mode', 'full-auto', '--no-sandbox', ...args, 'do it']);
  expect(server.violations).toEqual([]);
  const read = async (name: string): Promise<string> => await readFile(join(at.work, name), 'utf8').catch(() => 'none');
  return {...finished, at, read, requests: server.requests.map(({body}) => body)};
}

const FORMATS: Format[] = ['openai-chat', 'anthropic', 'openai-responses'];
const cut: ScriptedReply = {text: 'Half of', stop: 'max_tokens'};
const CUT = 'The last reply was cut off at the output limit of the model: it is not whole.';

describe('a run whose reply was cut (issue 14 › replies)', () => {
  it.each<[string, readonly string[], number, readonly string[]]>([
    ['without a check', [], 4, ['fettle: The answer was cut off: the model reached its output limit.', '  hint: Ask for less at once.']],
    ['a check that passes', ['--verify', 'test -f a.txt'], 0, [CUT, 'Verified after the last change:', '  `test -f a.txt` exited with 0']],
  ])('%s', async (_name, args, code, ending) => {
    const ended = await run({script: [cut, cut, cut], args});
    expect(ended.code).toBe(code);
    expect(ended.stderr.trimEnd().split('\n').slice(-ending.length)).toEqual(ending);
    expect(
      ended.stderr.match(/The reply was cut off: the model reached its output limit\. It is asked to continue in smaller pieces\./g),
    ).toHaveLength(2);
  });

  it('a check that fails goes to the model, and the ending says both', async () => {
    const {code, stdout} = await run({script: [cut, cut, cut, cut], args: ['--json', '--verify', 'test -f b.txt']});
    const events = eventsOf({code, stdout, stderr: ''});
    const {outcome_code: outcome, verified, reply_cut: isCut, checks} = events.at(-1) ?? {};
    expect({code, outcome, verified, isCut, checks}).toEqual({
      code: 6,
      outcome: 'blocked',
      verified: false,
      isCut: true,
      checks: [{command: 'test -f b.txt', named_by: 'person', state: 'failed', exit_code: 1}],
    });
  });

  it.each(FORMATS)('%s: whole calls of a cut reply run, the one that was cut does not, and each has its result', async (format) => {
    const half = '{"path": "c.txt", "content": "half of';
    const calls = [
      {name: 'write', arguments: {path: 'b.txt', content: 'whole\n'}},
      {name: 'write', arguments: half},
    ];
    const {code, stdout, stderr, requests, read} = await run({
      script: [{toolCalls: calls, stop: 'max_tokens'}, {text: 'Done.'}],
      format,
    });
    expect([code, stdout, await read('b.txt'), await read('c.txt')]).toEqual([0, 'Done.\n', 'whole\n', 'none']);
    expect(stderr).toContain('The reply was cut off in the call of write: the model reached its output limit.');
    expect(JSON.stringify(requests[1])).toContain('not run: the output limit cut off this reply in the arguments of write.');
  });

  it('the same cut call again and again ends the run', async () => {
    const again = {toolCalls: [{name: 'write', arguments: '{"path": "c.txt", "content": "ha'}], stop: 'max_tokens'} as const;
    const {code, requests} = await run({script: [again, again, again, again]});
    expect([code, requests.length]).toEqual([4, 3]);
  });

  it.each(FORMATS)('%s: what arrived before the stream broke is in the log and shown, and never goes back to the model', async (format) => {
    const half: ScriptedReply = {text: `The pyramids ${'are heavy '.repeat(40)}`, halfStream: true};
    const {at, code, requests} = await run({script: [half, {text: 'Done.'}], format});
    expect([code, JSON.stringify(requests).includes('pyramids')]).toEqual([0, false]);
    const [first] = JSON.parse((await sharedFettle(at, ['sessions', 'list', '--json'])).stdout) as {threadId: string}[];
    const id = first?.threadId ?? '';
    const shown = (await sharedFettle(at, ['sessions', 'show', id])).stdout;
    expect(shown).toMatch(/\*Interrupted reply: .+\*\n\n```text\nThe .*\n```\n\nDone\./);
    expect((await sharedFettle(at, ['sessions', 'replay', id])).code).toBe(0);
  });

  it('the session can be replayed and exported', async () => {
    const again = {toolCalls: [{name: 'write', arguments: '{"path": "c.txt", "content": "ha'}], stop: 'max_tokens'} as const;
    const {at} = await run({script: [again, cut, {text: 'Done.'}]});
    const [first] = JSON.parse((await sharedFettle(at, ['sessions', 'list', '--json'])).stdout) as {threadId: string}[];
    const id = first?.threadId ?? '';
    expect((await sharedFettle(at, ['sessions', 'replay', id])).code).toBe(0);
    expect((await sharedFettle(at, ['sessions', 'export', id, '--format', 'atif'])).code).toBe(0);
  });
});
