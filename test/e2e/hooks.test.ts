import {cp, mkdir, readFile, writeFile} from 'node:fs/promises';
import {watch} from 'node:fs';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {describe, expect, it, onTestFinished} from 'vitest';
import {sharedFettle} from './shared-process.ts';
import {fettle, finished, LAUNCHER, modelServer, place, start, type Place} from './support.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/middleware/keep-generated/keep-generated.ts');
const BASH = {toolCalls: [{name: 'bash', arguments: {command: 'echo ran >> ran.txt'}}]};
const EXEC = ['exec', '--mode', 'full-auto', '--no-sandbox'];

async function fileAppears(folder: string, name: string, act: () => void): Promise<void> {
  const watcher = watch(folder);
  const seen = new Promise<void>((resolve) => watcher.on('change', (_, file) => void (file === name && resolve())));
  act();
  await seen;
  watcher.close();
}

async function lines(at: Place, name: string): Promise<string[]> {
  const text = await readFile(join(at.work, name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

describe('kill -9 while a hook runs: resume works, nothing runs twice', () => {
  it.each([
    ['pre_tool_use', 0],
    ['post_tool_use', 1],
  ])('%s: the hook is not run again, the call ran %i times', async (event, times) => {
    const server = await modelServer([
      BASH,
      ({body}) => ({text: JSON.stringify(body['messages']).includes('interrupted') ? 'I see that it was interrupted.' : 'No word of it.'}),
    ]);
    const hook = `[[hooks.${event}]]\nmatcher = "bash"\ncommand = "echo x >> hooked.txt; : > hooking; exec sleep 600"\n`;
    const at = await place({}, `${server.config}${hook}`);
    let end: Promise<unknown> = Promise.resolve();
    await fileAppears(at.work, 'hooking', () => {
      const child = start(at, [...EXEC, 'run it']);
      end = finished(child);
      child.once('exit', () => undefined);
      killLater = () => child.kill('SIGKILL');
    });
    killLater();
    await end;
    const run = await fettle(at, [...EXEC, '--last', 'what happened?']);
    expect([run.code, run.stdout]).toEqual([0, 'I see that it was interrupted.\n']);
    expect([(await lines(at, 'hooked.txt')).length, (await lines(at, 'ran.txt')).length]).toEqual([1, times]);
  });

  it('user_prompt_submit: the prompt is not half there', async () => {
    const server = await modelServer([
      ({body}) => ({text: JSON.stringify(body['messages']).includes('first one') ? 'Both.' : 'Only the second.'}),
    ]);
    const at = await place({}, server.config);
    await writeFile(
      join(at.home, 'hooks.json'),
      '{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "test -e hooked.txt || { echo x > hooked.txt; exec sleep 600; }"}]}]}}',
    );
    let end: Promise<unknown> = Promise.resolve();
    await fileAppears(at.work, 'hooked.txt', () => {
      const child = start(at, [...EXEC, 'first one']);
      end = finished(child);
      killLater = () => child.kill('SIGKILL');
    });
    killLater();
    await end;
    const run = await fettle(at, [...EXEC, '--last', 'second']);
    expect([run.code, run.stdout]).toEqual([0, 'Only the second.\n']);
  });
});

let killLater: () => void = () => undefined;

describe('the built command', () => {
  it('a refused prompt ends with exit code 3, and says why', async () => {
    const server = await modelServer([]);
    const at = await place({}, `${server.config}[[hooks.user_prompt_submit]]\ncommand = "echo not today >&2; exit 2"\n`);
    const run = await sharedFettle(at, ['exec', 'go']);
    expect([run.code, run.stdout, run.stderr.includes('The prompt was refused: not today'), server.requests.length]).toEqual([
      3,
      '',
      true,
      0,
    ]);
  });

  it('a stop hook that is never content ends with exit code 6', async () => {
    const server = await modelServer(Array.from({length: 6}, () => ({text: 'Done.'})));
    const at = await place({}, `${server.config}[[hooks.stop]]\ncommand = "exit 2"\n`);
    const run = await sharedFettle(at, ['exec', 'go']);
    expect([run.code, server.requests.length]).toEqual([6, 6]);
  });

  it('a circle ends with exit code 5, and the report says what was called', async () => {
    const step = (at: number) => ({toolCalls: [{name: 'bash', arguments: {command: `echo ${at % 5}`}}]});
    const server = await modelServer(Array.from({length: 40}, (_, at) => step(at)));
    const at = await place({}, server.config);
    const run = await sharedFettle(at, [...EXEC, 'go']);
    expect([run.code, server.requests.length]).toEqual([5, 18]);
    expect(JSON.stringify(server.requests.at(-1)?.body).match(/the last \d+ replies brought nothing new/g)).toEqual([
      'the last 5 replies brought nothing new',
      'the last 9 replies brought nothing new',
    ]);
    expect(run.stderr).toContain('No progress: the last 13 replies brought nothing new. What was called: bash echo 0 (3 ×)');
  });

  it('hooks hold for calls of other programs, through `mcp serve`', async () => {
    const at = await place({}, '[[hooks.pre_tool_use]]\nmatcher = "read"\ncommand = "echo not this >&2; exit 2"\n');
    const client = new Client({name: 'test', version: '1'});
    onTestFinished(() => client.close());
    const args = [LAUNCHER, 'mcp', 'serve', '-C', at.work];
    await client.connect(new StdioClientTransport({command: process.execPath, args, env: {...at.env}, stderr: 'ignore'}));
    const {content, isError} = await client.callTool({name: 'read', arguments: {path: 'a.txt'}});
    expect([content, isError]).toEqual([
      [{type: 'text', text: 'Error: Denied by a hook: not this\nFind another way, or say what you need.'}],
      true,
    ]);
  });

  it('a hook that is written wrongly is an error of configuration', async () => {
    const at = await place({}, 'model = "ollama/x"\n');
    await writeFile(join(at.home, 'hooks.json'), '{"hooks": {"PreToolUse": [{"matcher": "("}]}}');
    const run = await sharedFettle(at, ['exec', 'go']);
    expect([run.code, run.stderr.includes('hooks.json: PreToolUse[0].matcher: is neither a name nor a regular expression')]).toEqual([
      2,
      true,
    ]);
  });

  it('fettle trust shows each command of the hooks of a project, and then they run', async () => {
    const server = await modelServer([BASH, {text: 'Done.'}]);
    const hooks = JSON.stringify({
      hooks: {PreToolUse: [{matcher: 'Bash', hooks: [{type: 'command', command: 'sh "$CLAUDE_PROJECT_DIR"/guard.sh'}]}]},
    });
    const at = await place(
      {'.fettle/hooks.json': hooks, 'guard.sh': 'echo guarded >&2; exit 2\n', '.fettle/middleware/m.ts': 'export {}'},
      server.config,
    );
    const shown = await sharedFettle(at, ['trust', '--show']);
    expect(shown.stdout).toContain('hook .fettle/hooks.json: runs sh "$CLAUDE_PROJECT_DIR"/guard.sh');
    expect(shown.stdout).toContain('program guard.sh: is started by a server or hook that names it');
    expect(shown.stdout).toContain('middleware .fettle/middleware/m.ts: its code runs in Fettle itself, around every call of a tool');
    await writeFile(join(at.work, '.fettle/middleware/m.ts'), GUARD);
    await sharedFettle(at, ['trust', '--yes']);
    const run = await sharedFettle(at, [...EXEC, 'go']);
    expect([run.code, run.stderr.includes('denied: bash (hook)')]).toEqual([3, true]);
  });

  it('examples/middleware: what is generated is not edited', async () => {
    const server = await modelServer([
      {toolCalls: [{name: 'edit', arguments: {path: 'gen.ts', old_string: 'a', new_string: 'b'}}]},
      {toolCalls: [{name: 'edit', arguments: {path: 'own.ts', old_string: 'a', new_string: 'b'}}]},
      {text: 'Done.'},
    ]);
    const at = await place({'gen.ts': '// @generated\na\n', 'own.ts': 'a\n'}, server.config);
    await mkdir(join(at.home, 'middleware'));
    await cp(EXAMPLE, join(at.home, 'middleware/keep-generated.ts'));
    const run = await sharedFettle(at, [...EXEC, 'go']);
    expect([run.code, await readFile(join(at.work, 'gen.ts'), 'utf8'), await readFile(join(at.work, 'own.ts'), 'utf8')]).toEqual([
      3,
      '// @generated\na\n',
      'b\n',
    ]);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('gen.ts is generated: change its source, and run the generator');
  });
});

const GUARD = `import {defineMiddleware} from 'fettle/tools';
export const none = defineMiddleware({before: () => undefined});
`;
