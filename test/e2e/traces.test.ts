import {describe, expect, it} from 'vitest';
import {checkResponseStream, ResponseResource} from '../checks/open-responses-check.ts';
import {check} from '../checks/atif-check.mjs';
import {eventsOf, fettle, modelServer, place} from './support.ts';

const READ = {toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}], text: 'I look.'};

describe('exec --emit open-responses', () => {
  it('stdout is a valid stream and nothing else; the export of the session is the response that it ended with', async () => {
    const server = await modelServer([READ, {text: 'Done, all of it.'}]);
    const at = await place({'a.txt': 'one\n'}, server.config);
    const done = await fettle(at, ['exec', '--emit', 'open-responses', 'Go.']);
    const events = eventsOf(done);
    expect([done.code, checkResponseStream(events)]).toEqual([0, []]);
    expect(events.filter(({type}) => type === 'response.output_text.delta').length).toBeGreaterThan(2);
    const last = events.at(-1);
    const [id = ''] = /thr_\w+/.exec(JSON.stringify(last)) ?? [];
    const exported = await fettle(at, ['sessions', 'export', id, '--format', 'open-responses']);
    const response = ResponseResource.parse(JSON.parse(exported.stdout));
    expect(response.output).toEqual((last?.['response'] as {output: unknown}).output);
    expect(response.output.map(({type}) => type)).toEqual(['message', 'message', 'function_call', 'function_call_output', 'message']);
  });

  it('a provider that fails ends it with response.failed, and the exit code says so', async () => {
    const server = await modelServer([{status: 401}]);
    const at = await place({}, server.config);
    const done = await fettle(at, ['exec', '--emit', 'open-responses', 'Go.']);
    const events = eventsOf(done);
    expect([done.code, checkResponseStream(events), events.at(-1)?.['type']]).toEqual([7, [], 'response.failed']);
  });
});

describe('sessions export', () => {
  it('ATIF of a real session is valid for the checker', async () => {
    const server = await modelServer([READ, {text: 'Done.'}]);
    const at = await place({'a.txt': 'one\n'}, server.config);
    await fettle(at, ['exec', 'Go.']);
    const {threadId = ''} = (JSON.parse((await fettle(at, ['sessions', 'list', '--json'])).stdout) as {threadId: string}[])[0] ?? {};
    const {stdout} = await fettle(at, ['sessions', 'export', threadId, '--format', 'atif']);
    expect(check(JSON.parse(stdout))).toEqual([]);
  });
});
