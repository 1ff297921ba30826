import {chmod, mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {VERIFIERS} from '../../../src/tools/dispatch/verifiers.table.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset, type OpenedToolset, type ToolsetOptions} from '../support/open-toolset.ts';

const PROJECT = {'Cargo.toml': '[package]\nname = "x"\n', 'src/main.rs': 'fn main() {}\n'};
const write = (path: string, content = 'fn main() { }\n') => ({name: 'write', arguments: JSON.stringify({path, content})});

interface Project {
  readonly root: string;
  readonly tools: OpenedToolset;
  /** Where the fake cargo was started, a line for each run. */
  runs(): Promise<string[]>;
  /** Texts of the results of one reply. */
  reply(...calls: {name: string; arguments: string}[]): Promise<string[]>;
}

/** A microcode toolset whose PATH holds a shell script named cargo, and bash. */
async function project(script: string | undefined, options: ToolsetOptions & {files?: Record<string, string>} = {}): Promise<Project> {
  const {files = PROJECT, ...rest} = options;
  const root = await scratch(files);
  const bin = await scratch();
  for (const name of ['bash', 'sleep']) await symlink(`/bin/${name}`, join(bin, name));
  if (script !== undefined) {
    await writeFile(join(bin, 'cargo'), `#!/bin/bash\necho "$PWD $*" >> ${bin}/runs\n${script}\n`);
    await chmod(join(bin, 'cargo'), 0o755);
  }
  const tools = await openToolset('microcode', root, {verifiers: VERIFIERS, env: {PATH: bin}, ...rest});
  return {
    root,
    tools,
    runs: async () => (await readFile(join(bin, 'runs'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean),
    async reply(...calls) {
      const results = await tools.dispatcher.dispatchAll(
        calls.map((call, index) => ({id: String(index), ...call})),
        new AbortController().signal,
      );
      return results.map(({text}) => text);
    },
  };
}

describe('microcode tools › write, edit: "Triggers the cargo verifier if the path ends in .rs"', () => {
  it('ok, in the folder of Cargo.toml', async () => {
    const {root, reply, runs} = await project('exit 0');
    expect(await reply(write('src/main.rs'))).toEqual(['overwrote src/main.rs (14 bytes)\n\nverifier(cargo check): ok']);
    expect(await runs()).toEqual([`${root} check --message-format=short --quiet`]);
  });

  it('not for other files, not where nothing was written', async () => {
    const {reply, runs} = await project('exit 0');
    expect(await reply(write('src/main.rst', 'x'))).toEqual(['created src/main.rst (1 byte)']);
    await reply({name: 'edit', arguments: '{"path":"src/main.rs","old_string":"nothing","new_string":"x"}'});
    await reply({name: 'read', arguments: '{"path":"src/main.rs"}'});
    expect(await runs()).toEqual([]);
  });

  it('errors are shown and counted; the write stays a success', async () => {
    const {tools} = await project(
      'echo "src/main.rs:1:4: error[E0425]: no x" >&2; echo "src/a.rs:2:1: warning: unused" >&2; echo "error: could not compile" >&2; exit 101',
    );
    const result = await tools.call('edit', {path: 'src/main.rs', old_string: 'main', new_string: 'x'});
    expect({outcome: result.outcome, isError: result.isError, text: result.text}).toEqual({
      outcome: 'success',
      isError: false,
      text: 'edited src/main.rs (1 replacement)\n\nverifier(cargo check): 1 error, 1 warning\nsrc/main.rs:1:4: error[E0425]: no x\nsrc/a.rs:2:1: warning: unused\nerror: could not compile',
    });
  });

  it('at most 40 lines and 4 KB of diagnostics', async () => {
    const {reply} = await project('for i in {1..50}; do echo "src/main.rs:$i:1: error: no" >&2; done; exit 1');
    const lines = (await reply(write('src/main.rs')))[0]?.split('\n') ?? [];
    expect(lines.slice(2, 4)).toEqual(['verifier(cargo check): 50 errors, 0 warnings', 'src/main.rs:1:1: error: no']);
    expect(lines.slice(-2)).toEqual(['src/main.rs:40:1: error: no', '[… more diagnostics left out]']);
    const wide = await project(`for i in {1..30}; do echo "src/main.rs:$i:1: error: ${'x'.repeat(300)}" >&2; done; exit 1`);
    expect(Buffer.byteLength((await wide.reply(write('src/main.rs')))[0] ?? '')).toBeLessThan(4200);
  });

  it('a failure without a diagnostic is not a success', async () => {
    const {reply} = await project('echo "error: failed to parse manifest" >&2; exit 101');
    expect(await reply(write('src/main.rs'))).toEqual([
      'overwrote src/main.rs (14 bytes)\n\nverifier(cargo check): failed with exit code 101\nerror: failed to parse manifest',
    ]);
  });

  it('runs once for the changes of one reply, after the last of them', async () => {
    const {reply, runs} = await project('exit 0');
    expect(
      await reply(write('src/main.rs'), write('src/b.rs'), {name: 'ls', arguments: '{}'}, write('c.txt', 'x'), {
        name: 'ls',
        arguments: '{"path":"src"}',
      }),
    ).toEqual([
      'overwrote src/main.rs (14 bytes)',
      'created src/b.rs (14 bytes)',
      'f Cargo.toml\nd src',
      'created c.txt (1 byte)\n\nverifier(cargo check): ok',
      'f b.rs\nf main.rs',
    ]);
    expect((await runs()).length).toBe(1);
  });

  it('once for each crate', async () => {
    const {root, reply, runs} = await project('exit 0', {files: {'a/Cargo.toml': '', 'b/Cargo.toml': ''}});
    await mkdir(join(root, 'a/src'));
    expect((await reply(write('a/src/x.rs'), write('b/y.rs'))).at(-1)).toBe(
      'created b/y.rs (14 bytes)\n\nverifier(cargo check): ok (in a)\n\nverifier(cargo check): ok (in b)',
    );
    expect((await runs()).map((line) => line.split(' ')[0])).toEqual([join(root, 'a'), join(root, 'b')]);
  });

  it('cargo that is not there, a project that is none, and a check that does not finish are notes', async () => {
    const missing = await project(undefined);
    expect((await missing.reply(write('src/main.rs')))[0]).toContain('\n\nverifier(cargo check): skipped: cargo is not installed');
    const loose = await project('exit 0', {files: {}});
    expect((await loose.reply(write('main.rs')))[0]).toBe(
      'created main.rs (14 bytes)\n\nverifier(cargo check): skipped: no Cargo.toml above the changed file',
    );
    const slow = await project('sleep 60', {verifiers: VERIFIERS.map((verifier) => ({...verifier, timeoutMs: 200}))});
    const result = await slow.tools.call('write', {path: 'src/main.rs', content: ''});
    expect({text: result.text, outcome: result.outcome}).toEqual({
      text: 'overwrote src/main.rs (0 bytes)\n\nverifier(cargo check): did not finish within 0.2 s: nothing is verified',
      outcome: 'success',
    });
  });

  it('is judged like any command: a build runs code of the repository', async () => {
    const rules = [{text: 'write:*', effect: 'allow', source: 'flags'} as const];
    const decisions: string[] = [];
    const strict = await project('exit 0', {
      policy: () => ({mode: 'ask', rules, fallback: 'ask'}),
      approve: undefined,
      listener: {onPermissionResolved: ({toolName, decision}) => void decisions.push(`${toolName} ${decision}`)},
    });
    expect(await strict.reply(write('src/main.rs'))).toEqual([
      'overwrote src/main.rs (14 bytes)\n\nverifier(cargo check): skipped: Denied: cargo check --message-format=short --quiet: no rule allows it, and nobody is here to ask. A rule that would allow it: bash:cargo check *',
    ]);
    expect(await strict.runs()).toEqual([]);
    expect(decisions).toEqual(['write allow']);
    const allowed = await project('exit 0', {
      policy: () => ({mode: 'ask', rules: [...rules, {text: 'bash:cargo *', effect: 'allow', source: 'default'}], fallback: 'ask'}),
      approve: undefined,
    });
    expect((await allowed.reply(write('src/main.rs')))[0]).toContain('verifier(cargo check): ok');
  });
});
