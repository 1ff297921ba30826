import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {checkResponseStream, ResponseResource} from '../checks/open-responses-check.ts';
import {check} from '../checks/atif-check.mjs';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, modelServer, place} from './support.ts';

const READ = {toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}], text: 'I look.'};

describe('exec --emit open-responses', () => {
  it('stdout is a valid stream and nothing else; the export of the session is the response that it ended with', async () => {
    const server = await modelServer([READ, {text: 'Done, all of it.'}]);
    const at = await place({'a.txt': 'one\n'}, server.config);
    const done = await sharedFettle(at, ['exec', '--emit', 'open-responses', 'Go.']);
    const events = eventsOf(done);
    expect([done.code, checkResponseStream(events)]).toEqual([0, []]);
    expect(events.filter(({type}) => type === 'response.output_text.delta').length).toBeGreaterThan(2);
    const last = events.at(-1);
    const [id = ''] = /thr_\w+/.exec(JSON.stringify(last)) ?? [];
    const exported = await sharedFettle(at, ['sessions', 'export', id, '--format', 'open-responses']);
    const response = ResponseResource.parse(JSON.parse(exported.stdout));
    expect(response.output).toEqual((last?.['response'] as {output: unknown} | undefined)?.output);
    expect(response.output.map(({type}) => type)).toEqual(['message', 'message', 'function_call', 'function_call_output', 'message']);
  });

  it('a provider that fails ends it with response.failed, and the exit code says so', async () => {
    const server = await modelServer([{status: 401}]);
    const at = await place({}, server.config);
    const done = await sharedFettle(at, ['exec', '--emit', 'open-responses', 'Go.']);
    const events = eventsOf(done);
    expect([done.code, checkResponseStream(events), events.at(-1)?.['type']]).toEqual([7, [], 'response.failed']);
  });
});

describe('sessions export', () => {
  it('ATIF of a real session is valid for the checker', async () => {
    const server = await modelServer([READ, {text: 'Done.'}]);
    const at = await place({'a.txt': 'one\n'}, server.config);
    await sharedFettle(at, ['exec', 'Go.']);
    const {threadId = ''} = (JSON.parse((await sharedFettle(at, ['sessions', 'list', '--json'])).stdout) as {threadId: string}[])[0] ?? {};
    const {stdout} = await sharedFettle(at, ['sessions', 'export', threadId, '--format', 'atif']);
    expect(check(JSON.parse(stdout))).toEqual([]);
  });
});

describe('sessions replay and search', () => {
  it('0: the same, 1: different, with both sides on stdout', async () => {
    const server = await modelServer([READ, {text: 'Done.'}]);
    const at = await place({'a.txt': 'one\n'}, server.config);
    await sharedFettle(at, ['exec', 'Find the needle.']);
    const found = await sharedFettle(at, ['sessions', 'search', 'NEEDLE']);
    const [id = ''] = found.stdout.split(' ');
    expect([found.code, found.stdout]).toEqual([0, `${id}  1  user_message  Find the needle.\n`]);
    const same = await sharedFettle(at, ['sessions', 'replay', id]);
    expect([same.code, same.stdout]).toEqual([
      0,
      `Copied ${at.work} as it is now: no checkpoint tells what changed since the session began.
Session ${id}: the same as recorded (1 turn, 2 requests, 1 call run again).
`,
    ]);
    await writeFile(join(at.work, 'a.txt'), 'two\n');
    const different = await sharedFettle(at, ['sessions', 'replay', id]);
    expect(different.code).toBe(1);
    expect(different.stdout.split('\n').slice(1)).toEqual([
      `Session ${id}: different from the recording in turn 1, request 1 (0 turns, 1 request, 1 call run again).`,
      'read says something else.',
      'read {"path":"a.txt"}',
      '--- recorded',
      '+++ now',
      '@@ -1,1 +1,1 @@',
      expect.stringMatching(/^-.*one$/),
      expect.stringMatching(/^\+.*two$/),
      '',
    ]);
    expect((await sharedFettle(at, ['sessions', 'search', 'haystack'])).code).toBe(1);
  });

  it('a tool of the person that changed since is the first difference; of one that is gone the recorded result is used, and said', async () => {
    const tool = (word: string): string => `import {defineCustomTool, z} from 'fettle/tools';
export const greet = defineCustomTool({description: 'Greet.', args: z.object({}), result: z.object({word: z.string()}), sideEffect: 'pure', run: async () => ({word: '${word}'})});
`;
    const server = await modelServer([{toolCalls: [{name: 'greet', arguments: {}}]}, {text: 'Done.'}]);
    const at = await place({}, server.config);
    const file = join(at.home, 'tools', 'greet.ts');
    await mkdir(join(at.home, 'tools'));
    await writeFile(file, tool('hello'));
    // In a process of its own each: a process loads a tool once.
    const id = String(eventsOf(await fettle(at, ['exec', '--json', 'Go.']))[0]?.['thread_id']);
    const replay = async () => {
      const {code, stdout} = await fettle(at, ['sessions', 'replay', id, '--json']);
      const {calls, notRun, divergence} = JSON.parse(stdout) as Record<string, unknown>;
      return {code, calls, notRun, divergence};
    };
    expect(await replay()).toEqual({code: 0, calls: 1, notRun: [], divergence: undefined});
    await writeFile(file, tool('goodbye'));
    expect(await replay()).toMatchObject({
      code: 1,
      divergence: {what: 'call', message: 'greet says something else.', recorded: 'word: hello', now: 'word: goodbye'},
    });
    await rm(file);
    expect(await replay()).toMatchObject({code: 0, calls: 0, notRun: [expect.stringMatching(/^greet: is not here: /)]});
  });
});
