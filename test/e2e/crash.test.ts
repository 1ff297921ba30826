import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettle, finished, modelServer, place, start, type Place} from './support.ts';

async function sessionLog(at: Place): Promise<string[]> {
  const root = join(at.home, 'state', 'sessions');
  const names = await readdir(root, {recursive: true});
  const name = names.find((file) => file.endsWith('.jsonl'));
  return name === undefined ? [] : (await readFile(join(root, name), 'utf8')).split('\n').filter((line) => line !== '');
}

describe('kill -9 (design 1.3: nothing is lost)', () => {
  it.each([1, 2, 3])('while request %i is unanswered: every finished item is there, and the session goes on', async (at) => {
    const steps = [
      {text: 'Reading.', toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]},
      {toolCalls: [{name: 'edit', arguments: {path: 'a.txt', old_string: 'one', new_string: 'two'}}]},
      {text: 'Done.'},
    ];
    const asked = Promise.withResolvers<void>();
    const script = steps.map((step, n) => (n + 1 === at ? () => (asked.resolve(), {...step, stallAfter: 0}) : step));
    const server = await modelServer([...script.slice(0, at), {text: 'Went on.'}]);
    const place1 = await place({'a.txt': 'one\n'}, server.config);
    const child = start(place1, ['exec', '--mode', 'accept-edits', 'make it two']);
    const end = finished(child);
    await asked.promise;
    child.kill('SIGKILL');
    await end;

    const kept = (await sessionLog(place1)).map((line) => JSON.parse(line) as {event: {type: string; item?: {type: string}}});
    const outputs = kept.filter(({event}) => event.type === 'item.completed' && event.item?.type === 'tool_output');
    expect(outputs.length).toBe(at - 1);
    expect(await readFile(join(place1.work, 'a.txt'), 'utf8')).toBe(at === 3 ? 'two\n' : 'one\n');

    const run = await fettle(place1, ['exec', '--last', 'go on']);
    expect([run.code, run.stdout, server.violations]).toEqual([0, 'Went on.\n', []]);
  });

  it('while a command runs: the call has a result that says so', async () => {
    const server = await modelServer([
      {toolCalls: [{name: 'bash', arguments: {command: 'echo started; exec sleep 600'}}]},
      (request) => ({
        text: JSON.stringify(request.body['messages']).includes('interrupted') ? 'I see that it was interrupted.' : 'No word of it.',
      }),
    ]);
    const at = await place({}, server.config);
    const child = start(at, ['exec', '--json', '--allow', 'bash:*', '--mode', 'full-auto', '--no-sandbox', 'run it']);
    const end = finished(child);
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('"delta":"started')) resolve();
      });
    });
    child.kill('SIGKILL');
    await end;
    const run = await fettle(at, ['exec', '--last', 'what happened?']);
    expect([run.code, run.stdout]).toEqual([0, 'I see that it was interrupted.\n']);
  });

  it('a torn last line is repaired, and said', async () => {
    const server = await modelServer([{text: 'One.'}, {text: 'Two.'}]);
    const at = await place({}, server.config);
    await fettle(at, ['exec', 'first']);
    const root = join(at.home, 'state', 'sessions');
    const name = (await readdir(root, {recursive: true})).find((file) => file.endsWith('.jsonl')) ?? '';
    const {appendFile} = await import('node:fs/promises');
    await appendFile(join(root, name), '{"v":1,"seq":99,"ts":"20');
    const run = await fettle(at, ['exec', '--last', 'second']);
    expect([run.code, run.stdout]).toEqual([0, 'Two.\n']);
    expect(run.stderr).toContain('.torn');
  });
});
