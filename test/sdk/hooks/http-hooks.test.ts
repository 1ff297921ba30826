import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {describe, expect, it, onTestFinished} from 'vitest';
import {call, DONE, runHooked, told, type HookedRun} from './run-hooked.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

async function hookServer(answer: (response: ServerResponse, path: string) => void): Promise<{url: string; received: Received[]}> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({path: request.url ?? '', headers: request.headers, body: JSON.parse(body) as Record<string, unknown>});
      answer(response, request.url ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? '') : ''}/hook`, received};
}

async function hooked(event: string, url: string, more: object = {}): Promise<HookedRun> {
  const hooks = JSON.stringify({hooks: {[event]: [{matcher: '', hooks: [{type: 'http', url, timeout: 0.5, ...more}]}]}});
  return await runHooked({script: [call('bash', {command: 'echo ran'}), DONE], own: {'hooks.json': hooks}});
}

const json = (response: ServerResponse, value: object): void => void response.end(JSON.stringify(value));

describe('servers that are hooks (code.claude.com › HTTP hooks)', () => {
  it('are told what commands are told, and answer as they do; a header takes only variables that are named', async () => {
    const {url, received} = await hookServer((response) =>
      json(response, {hookSpecificOutput: {permissionDecision: 'deny', permissionDecisionReason: 'not this'}}),
    );
    const headers = {authorization: 'Bearer $PATH', 'x-other': '$HOME ${HOME}'};
    const run = await hooked('PreToolUse', url, {headers, allowedEnvVars: ['PATH']});
    expect(run.results).toEqual(['Error: Denied by a hook: not this\nFind another way, or say what you need.']);
    expect(
      received.map(({path, headers: got, body}) => [path, got['authorization'], got['x-other'], body['tool_name'], body['tool_input']]),
    ).toEqual([['/hook', `Bearer ${process.env['PATH']}`, '$HOME ${HOME}', 'Bash', {command: 'echo ran'}]]);
  });

  it('an answer without a word lets it happen', async () => {
    const {url} = await hookServer((response) => void response.writeHead(204).end());
    expect((await hooked('PreToolUse', url)).results).toEqual(['ran']);
  });

  it.each<[string, (response: ServerResponse, path: string) => void, string]>([
    ['an error of the server', (response) => void response.writeHead(500).end('{}'), 'URL answered with status 500.'],
    [
      'a redirect',
      (response, path) => void (path === '/hook' ? response.writeHead(307, {location: '/other'}).end() : json(response, {})),
      'URL does not answer.',
    ],
    ['a connection that breaks', (response) => void response.destroy(), 'URL does not answer.'],
    ['no answer in time', () => undefined, 'it did not answer in time'],
    [
      'JSON of more than 64 KiB',
      (response) => json(response, {x: 'x'.repeat(70_000)}),
      'what it wrote on stdout begins like JSON, and is none',
    ],
  ])('%s denies where it guards something, and is shown elsewhere', async (_, answer, reason) => {
    const {url} = await hookServer(answer);
    const [guard, shown] = [await hooked('PreToolUse', url), await hooked('PostToolUse', url)];
    expect(guard.results.map((result) => result.replace(url, 'URL').replace('it could not be run: ', ''))).toEqual([
      `Error: Denied by a hook: ${reason}\nFind another way, or say what you need.`,
    ]);
    expect([shown.results, told(shown).map((line) => line.replaceAll(url, 'URL').replace('it could not be run: ', ''))]).toEqual([
      ['ran'],
      [`PostToolUse hook (URL): ${reason}`],
    ]);
  });
});
