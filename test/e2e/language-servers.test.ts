import {chmod, mkdir, readdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {modelServer, place, type Place} from './support.ts';

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const FILES = {
  'AGENTS.md': 'Something to trust.\n',
  'tsconfig.json': '{"compilerOptions": {"strict": true, "noEmit": true}, "include": ["*.ts"]}',
  'main.ts': 'export const count: number = 1;\n',
};
const call = (name: string, args: object) => ({name, arguments: JSON.stringify(args)});

/** Two edits, one that breaks a type and one that mends it; what the model was told after each. */
async function edited(
  prepare: (at: Place) => Promise<void>,
  config = 'diagnostics_s = 60',
): Promise<{readonly at: Place; readonly told: readonly string[]}> {
  const edit = (from: string, to: string) => ({toolCalls: [call('edit', {path: 'main.ts', old_string: from, new_string: to})]});
  const server = await modelServer([
    {toolCalls: [call('read', {path: 'main.ts'})]},
    edit('= 1', "= 'one'"),
    edit("= 'one'", '= 2'),
    {text: 'Done.'},
  ]);
  const at = await place(FILES, `${server.config}[code]\n${config}\n`);
  const env = {...at.env, PATH: `${dirname(process.execPath)}:${at.env['PATH'] ?? ''}`};
  await mkdir(join(at.work, 'node_modules/.bin'), {recursive: true});
  await prepare({...at, env});
  const done = await sharedFettle({...at, env}, ['exec', '--mode', 'accept-edits', 'Break it, then mend it']);
  expect([done.code, done.stderr.includes('Error')]).toEqual([0, false]);
  const bodies = server.requests.map(({body}) => JSON.stringify(body));
  return {at, told: [bodies[2] ?? '', bodies[3] ?? '']};
}

const trusted = async (at: Place): Promise<void> => {
  await symlink(TSC, join(at.work, 'node_modules/.bin/tsc'));
  expect((await sharedFettle(at, ['trust', '--yes'])).code).toBe(0);
};

describe(
  'language servers, from an edit to what the model is told (issue 6: "diagnostics of touched files are fed back")',
  {timeout: 120_000},
  () => {
    it('in a trusted project TypeScript 7 says what an edit broke, and that the next one fixed it', async () => {
      const {told} = await edited(trusted);
      expect(told[0]).toContain(
        "diagnostics(tsc): 1 error, 0 warnings\\nmain.ts:1:14 error 2322: Type 'string' is not assignable to type 'number'.",
      );
      expect(told[1]).toContain('diagnostics(tsc): ok');
    });

    it('switched off: nothing is started, nothing is said', async () => {
      const {told} = await edited(trusted, 'language_servers = "off"');
      expect(told.join('')).not.toContain('diagnostics(');
    });

    it('a server that lies in a project which nobody trusts is never started, not even to ask for its version', async () => {
      const {at, told} = await edited(async ({work}) => {
        for (const name of ['tsc', 'typescript-language-server']) {
          const file = join(work, 'node_modules/.bin', name);
          await writeFile(file, `#!/bin/sh\ntouch ${join(work, 'started')}\necho "Version 7.0.0"\n`);
          await chmod(file, 0o755);
        }
      });
      expect(told.join('')).not.toContain('diagnostics(');
      expect((await readdir(at.work)).toSorted()).toEqual(['AGENTS.md', 'main.ts', 'node_modules', 'tsconfig.json']);
      expect(await readFile(join(at.work, 'main.ts'), 'utf8')).toBe('export const count: number = 2;\n');
    });
  },
);

describe('fettle tools call, without a model', {timeout: 120_000}, () => {
  it('an edit waits for a language server on PATH, and prints what it finds', async () => {
    const at = await place(FILES, '[code]\ndiagnostics_s = 60\n');
    const programs = await scratch();
    await symlink(TSC, join(programs, 'tsc'));
    const env = {...at.env, PATH: `${programs}:${dirname(process.execPath)}:${at.env['PATH'] ?? ''}`};
    expect((await sharedFettle({...at, env}, ['trust', '--yes'])).code).toBe(0);
    const edit = (from: string, to: string) =>
      sharedFettle({...at, env}, ['tools', 'call', 'edit', JSON.stringify({path: 'main.ts', old_string: from, new_string: to})]);
    expect(await edit('= 1', "= 'one'")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        "diagnostics(tsc): 1 error, 0 warnings\nmain.ts:1:14 error 2322: Type 'string' is not assignable to type 'number'.",
      ),
    });
    expect((await edit("= 'one'", '= 2')).stdout).toContain('diagnostics(tsc): ok');
  });

  it('a server that says nothing is waited for as long as it is said, and no longer', async () => {
    const at = await place(
      FILES,
      '[code]\ndiagnostics_s = 1\n[[code.servers]]\nname = "mute"\ncommand = "mute"\nlanguages = ["typescript"]\n',
    );
    const programs = await scratch({mute: '#!/bin/sh\nexec cat >/dev/null\n'});
    await chmod(join(programs, 'mute'), 0o755);
    const env = {...at.env, PATH: `${programs}:${at.env['PATH'] ?? ''}`};
    expect((await sharedFettle({...at, env}, ['trust', '--yes'])).code).toBe(0);
    const edit = JSON.stringify({path: 'main.ts', old_string: '= 1', new_string: '= 2'});
    const {code, stdout} = await sharedFettle({...at, env}, ['tools', 'call', 'edit', edit]);
    const said = 'diagnostics(typescript): nothing is verified\nThe language server for typescript has not started within 1 s.\n';
    expect([code, stdout]).toEqual([0, `Edited main.ts: 1 replacement.\n\n${said}`]);
  });
});

describe('changes by symbol, and their undo', {timeout: 120_000}, () => {
  it('a rename over several files is one step that is brought back whole (issue 6: "applied atomically, undoable")', async () => {
    const files = {'a.ts': 'export const one = 1;\n', 'b.ts': "import {one} from './a.ts';\nconsole.log(one);\n"};
    const rename = call('edit_symbol', {action: 'rename', symbol: 'one', new_name: 'two'});
    const server = await modelServer([{toolCalls: [rename]}, {text: 'Done.'}]);
    const at = await place(files, server.config);
    expect((await sharedFettle(at, ['exec', '--mode', 'accept-edits', 'rename it'])).code).toBe(0);
    const now = async () => [await readFile(join(at.work, 'a.ts'), 'utf8'), await readFile(join(at.work, 'b.ts'), 'utf8')];
    expect(await now()).toEqual(['export const two = 1;\n', "import {two} from './a.ts';\nconsole.log(two);\n"]);
    const [{id}] = JSON.parse((await sharedFettle(at, ['checkpoints', 'list', '--json'])).stdout) as [{id: string}];
    expect((await sharedFettle(at, ['checkpoints', 'restore', id])).code).toBe(0);
    expect(await now()).toEqual(Object.values(files));
  });

  it('a session that asks nothing of the code opens no index (start-up budget); one that asks has the tool', async () => {
    const server = await modelServer([
      {text: 'Hello.'},
      {toolCalls: [call('symbols', {action: 'search', symbol: 'one'})]},
      {text: 'Found.'},
    ]);
    const at = await place({'a.ts': 'export const one = 1;\n'}, server.config);
    expect((await sharedFettle(at, ['exec', 'hello'])).code).toBe(0);
    expect((await readdir(join(at.home, 'cache')).catch(() => [])).filter((name) => name === 'code')).toEqual([]);
    expect((await sharedFettle(at, ['exec', 'where is one?'])).code).toBe(0);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('a.ts:1 const one = 1');
  });

  it('`fettle ask` and subagents have the tool, too (issue 6: "the model can ask")', async () => {
    const search = {toolCalls: [call('symbols', {action: 'search', symbol: 'one'})]};
    const server = await modelServer([
      search,
      {text: 'Found.'},
      {toolCalls: [call('task', {agent: 'explore', task: 'Where is one?'})]},
      search,
      {text: 'In a.ts.'},
      {text: 'Done.'},
    ]);
    const at = await place({'a.ts': 'export const one = 1;\n'}, server.config);
    expect((await sharedFettle(at, ['ask', 'where is one?'])).code).toBe(0);
    expect((await sharedFettle(at, ['exec', 'let somebody look'])).code).toBe(0);
    const results = server.requests.map(({body}) => (body['messages'] as readonly {readonly content: unknown}[]).at(-1)?.content);
    expect([results[1], results[4]]).toEqual(['a.ts:1 const one = 1', 'a.ts:1 const one = 1']);
  });
});
