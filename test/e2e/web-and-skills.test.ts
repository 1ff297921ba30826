import {describe, expect, it} from 'vitest';
import {send, webServer} from '../tools/support/web-server.ts';
import {sharedFettle} from './shared-process.ts';
import {modelServer, place} from './support.ts';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

const SKILL = '---\nname: demo\ndescription: Shows how.\n---\nDo it.\n';

/** As it is sent, whatever the wire format names it. */
function toolNames(body: unknown): string[] {
  const tools = (body as {tools?: {function?: {name?: string}}[]}).tools ?? [];
  return tools.flatMap(({function: called}) => called?.name ?? []);
}

describe('web_fetch, as installed', () => {
  it('reads a page of a server that the user named; without a rule `exec` may not, and says which one would allow it', async () => {
    const web = await webServer((_, response) => send(response, '<title>T</title><h1>Hi</h1>'));
    const url = web.url('/a', '127.0.0.1');
    const hosts = '[web_fetch]\nprivate_hosts = ["127.0.0.1"]\n';
    const called = await sharedFettle(await place({}, hosts), ['tools', 'call', 'web_fetch', JSON.stringify({url})]);
    const named = 'Asked about, and carried out because you called it: 127.0.0.1: no rule allows it\n';
    expect(called).toEqual({code: 0, stdout: `<web_page url="${url}" title="T">\n# Hi\n</web_page>\n`, stderr: named});
    const server = await modelServer([{toolCalls: [{name: 'web_fetch', arguments: {url}}]}, {text: 'No page.'}]);
    const run = await sharedFettle(await place({}, server.config + hosts), ['exec', 'Read it.']);
    const {port} = new URL(url);
    expect({code: run.code, requests: web.requests.length}).toEqual({code: 3, requests: 1});
    expect(JSON.stringify(server.requests[1]?.body)).toContain(`web_fetch:127.0.0.1, web_fetch:127.0.0.1:${port}`);
  });
});

describe('skills, as installed', () => {
  it('those of the user are in the prompt of the first request, and are loaded by name; those of an untrusted project are not', async () => {
    const server = await modelServer([{toolCalls: [{name: 'skill', arguments: {name: 'demo'}}]}, {text: 'Done.'}]);
    const at = await place({'.agents/skills/evil/SKILL.md': SKILL.replace('demo', 'evil')}, server.config);
    await mkdir(join(at.home, 'skills/demo'), {recursive: true});
    await writeFile(join(at.home, 'skills/demo/SKILL.md'), SKILL);
    expect((await sharedFettle(at, ['exec', 'Do it.'])).stdout).toBe('Done.\n');
    const [first, second] = server.requests.map(({body}) => body);
    expect(JSON.stringify(first)).toContain('<skills>\\n- demo: Shows how.\\n</skills>');
    expect(JSON.stringify(first)).not.toContain('evil');
    expect(toolNames(first)).toContain('skill');
    expect(JSON.stringify(second)).toContain('<skill_content name=\\"demo\\">\\nDo it.\\n</skill_content>');
  });

  it('without skills neither prompt nor tools speak of them', async () => {
    const server = await modelServer([{text: 'Done.'}]);
    await sharedFettle(await place({}, server.config), ['exec', 'Do it.']);
    expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/skill/i);
    expect(toolNames(server.requests[0]?.body)).not.toContain('exit_plan_mode');
  });
});
