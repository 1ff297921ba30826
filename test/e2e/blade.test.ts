import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {fettle, modelServer, place} from './support.ts';

/** The names of the tools in a request of the Chat Completions format. */
function toolNames(body: unknown): string[] {
  return (body as {tools: {function: {name: string}}[]}).tools.map((tool) => tool.function.name);
}

const COMPOSITE = ['read_many_files', 'batch', 'codebase_investigator'];

describe('zblade tool calls › Local vs advertised tools, in a thread', () => {
  it('composite tools are shown to the families that know them, unless the setting forbids it', async () => {
    const shown = async (model: string, setting: string): Promise<string[]> => {
      const server = await modelServer([{text: 'done'}]);
      const at = await place({}, `toolset = "blade"\n${setting}\n${server.config}`);
      expect((await fettle(at, ['exec', '--model', model, 'hello'])).code).toBe(0);
      return toolNames(server.requests[0]?.body).filter((name) => COMPOSITE.includes(name));
    };
    expect(await shown('test/qwen3-coder', '')).toEqual(COMPOSITE);
    expect(await shown('test/devstral', '')).toEqual([]);
    expect(await shown('test/qwen3-coder', 'composite_tools_enabled = false')).toEqual([]);
  });
});

describe('zblade tool calls › run_command: non-blocking', () => {
  it('a job goes on beside the next turn, and ends with the session', async () => {
    const server = await modelServer([
      {toolCalls: [{name: 'run_command', arguments: {command: 'echo $$ > pid; sleep 300', blocking: false, wait_ms_before_async: 200}}]},
      {toolCalls: [{name: 'run_command', arguments: {command: 'until [ -s pid ]; do :; done; kill -0 $(cat pid) && echo alive'}}]},
      {text: 'done'},
    ]);
    const at = await place({}, `toolset = "blade"\nmode = "full-auto"\n${server.config}\n[sandbox]\nprofile = "off"\n`);
    expect((await fettle(at, ['exec', 'start it'])).code).toBe(0);
    const told = JSON.stringify(server.requests[2]?.body);
    expect(told).toMatch(/still running after 200 ms: it goes on as session s1, pid=\d+/);
    expect(told).toContain('alive');
    const pid = (await readFile(`${at.work}/pid`, 'utf8')).trim();
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone');
    expect(stat).toMatch(/^gone$|\) Z /);
  });
});
