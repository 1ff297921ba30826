import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {mkdir, readFile, rename, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {Policy, Rule, Verdict} from '../../src/policy/decision.ts';
import {judgeCall} from '../../src/sdk/tools/judge-call.ts';
import {loadSettings} from '../../src/sdk/settings/load-settings.ts';
import {scratch} from '../support/scratch.ts';
import {openToolset} from '../tools/support/open-toolset.ts';
import {treeOf} from '../workspace/tree.ts';

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly benign: boolean;
  readonly setup: {readonly files: readonly string[]; readonly symlinks?: Readonly<Record<string, string>>};
  readonly policy: {readonly allow: string[]; readonly ask: string[]; readonly deny: string[]; readonly default: Verdict};
  readonly input: Readonly<Record<string, string>>;
  readonly expected: string;
  readonly acceptable?: readonly string[];
}

const {cases} = JSON.parse(readFileSync(new URL('../cases/attacks.json', import.meta.url), 'utf8')) as {cases: readonly Case[]};
const paths = cases.filter(({kind}) => kind === 'path');

/** A real workspace with what the case says is there; `/repo` and `/home/u` of the case are folders below the scratch folder. */
async function workspaceOf({
  setup,
  group,
}: Pick<Case, 'setup' | 'group'>): Promise<{base: string; root: string; real: (text: string) => string}> {
  const base = await scratch({'home/u/.bashrc': 'mine', 'repo-evil/x': 'secret', 'home/u/.config/agent/settings.json': '{}'});
  const root = join(base, 'repo');
  const real = (text: string): string => text.replaceAll(/\/(repo|home\/u)(?=[/-]|$)/g, (_, folder: string) => `${base}/${folder}`);
  await mkdir(root);
  for (const file of setup.files) {
    await mkdir(dirname(join(root, file)), {recursive: true});
    await writeFile(join(root, file), 'x\n');
  }
  for (const [name, target] of Object.entries(setup.symlinks ?? {})) {
    await mkdir(dirname(join(root, name)), {recursive: true});
    await symlink(real(target), join(root, name));
  }
  if (group === 'special-file') await special(root);
  return {base, root, real};
}

async function special(root: string): Promise<void> {
  execFileSync('mkfifo', [join(root, 'fifo')]);
  await writeFile(join(root, 'big'), '');
  await truncate(join(root, 'big'), 8 * 2 ** 30);
  await writeFile(join(root, 'bin'), Buffer.from([0, 1, 2, 255, 0]));
  await writeFile(join(root, 'bad-utf8'), Buffer.from([0x61, 0xff, 0xfe, 0x0a]));
  const server = createServer().listen(join(root, 'sock'));
  onTestFinished(() => void server.close());
}

function rulesOf({policy}: Pick<Case, 'policy'>): Policy {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((effect) =>
    policy[effect].map((text): Rule => ({text, effect, source: 'case'})),
  );
  return {mode: 'ask', rules, fallback: policy.default};
}

/** As `fettle permissions check --stdin` does it. */
async function judged({input, policy}: Case, {base, root, real}: Awaited<ReturnType<typeof workspaceOf>>): Promise<string> {
  const session = await loadSettings({cwd: root, env: {FETTLE_HOME: join(base, 'fettle')}, home: join(base, 'home/u')});
  const {tool = '', ...args} = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, real(value)]));
  try {
    return (await judgeCall({session, tool, input: args, policy: {...policy}, workspaceRoot: root})).verdict;
  } catch {
    return 'error';
  }
}

describe('attacks.json › path, on real folders', () => {
  const RACES = new Set(['pa-043', 'pa-044']);

  it.each(paths.filter(({id}) => !RACES.has(id)).map((one) => [one.id, one] as const))('%s', async (_, one) => {
    const place = await workspaceOf(one);
    const verdict = await judged(one, place);
    const fits = one.benign ? ['allow'] : [one.expected, ...(one.acceptable ?? [])];
    if (fits.includes(verdict)) return;
    // What the rules allow the tool itself refuses: a file of 8 GiB, a name that leads in circles. Nothing is waited for, nothing is changed.
    expect([one.id, verdict, one.expected]).toEqual([one.id, 'allow', 'error']);
    const before = one.input['path'] === 'big' ? {} : await namesIn(place.root);
    const tools = await openToolset('fettle', place.root, {policy: () => rulesOf(one), approve: undefined});
    const {tool = '', ...args} = one.input;
    const result = await tools.call(tool, args);
    expect([one.id, result.isError, result.text.length < 2000]).toEqual([one.id, true, true]);
    if (one.input['path'] !== 'big') expect(await namesIn(place.root)).toEqual(before);
  });

  it('all of them are here', () => {
    expect([paths.length, paths.filter(({benign}) => benign).length]).toEqual([66, 7]);
  });

  async function namesIn(root: string): Promise<string> {
    return execFileSync('ls', ['-lA', '--time-style=+', root], {encoding: 'utf8'});
  }
});

describe('between the answer of a person and the call', () => {
  const files = {'sub/f': 'old', f: 'old'};
  const ask: Policy = {mode: 'ask', rules: [], fallback: 'ask'};

  it('pa-043: a folder becomes a link: nothing is written, neither there nor here', async () => {
    const root = await scratch(files);
    const outside = await scratch({f: 'outside'});
    const tools = await openToolset('fettle', root, {
      policy: () => ask,
      approve: async () => {
        await rename(join(root, 'sub'), join(root, 'aside'));
        await symlink(outside, join(root, 'sub'));
        return {decision: 'allow'};
      },
    });
    const {outcome, text} = await tools.call('write', {path: 'sub/f', content: 'x'});
    expect([outcome, text]).toEqual(['error', expect.stringContaining(`${root}/sub/f changed target since it was approved`)]);
    expect([await readFile(join(outside, 'f'), 'utf8'), await readFile(join(root, 'aside/f'), 'utf8')]).toEqual(['outside', 'old']);
  });

  it.each(['write', 'edit', 'delete_file', 'move_file', 'copy_file'])('pa-044: a file becomes a link to another: %s', async (name) => {
    const root = await scratch(files);
    const outside = await scratch({bashrc: 'old'});
    const tools = await openToolset('fettle', root, {
      policy: () => ask,
      approve: async () => {
        await rm(join(root, 'f'));
        await symlink(join(outside, 'bashrc'), join(root, 'f'));
        return {decision: 'allow'};
      },
    });
    const args = {
      write: {path: 'f', content: 'x'},
      edit: {path: 'f', old_string: 'old', new_string: 'new', old_text: 'old', new_text: 'new'},
      delete_file: {path: 'f'},
      move_file: {source: 'f', destination: 'g'},
      copy_file: {source: 'f', destination: 'g'},
    }[name];
    await tools.call(name, args ?? {});
    expect(await treeOf(outside)).toEqual({bashrc: 'old'});
  });

  it('a file that is read becomes a link to a secret while a person thinks', async () => {
    const root = await scratch({'.env': 'FIRST=1'});
    const outside = await scratch({secret: 'SECOND'});
    const tools = await openToolset('fettle', root, {
      policy: () => ask,
      approve: async () => {
        await rm(join(root, '.env'));
        await symlink(join(outside, 'secret'), join(root, '.env'));
        return {decision: 'allow'};
      },
    });
    const {outcome, text} = await tools.call('read', {path: '.env'});
    expect([outcome, text.includes('SECOND')]).toEqual(['error', false]);
  });
});

describe('a search of a whole folder', () => {
  const files = {'a.ts': 'KEY here', '.env': 'KEY=1', '.env.example': 'KEY=', 'conf/server.pem': 'KEY', 'private/x.ts': 'KEY inside'};
  const policy = (...deny: string[]): Policy => ({
    mode: 'ask',
    rules: deny.map((text): Rule => ({text, effect: 'deny', source: 'user'})),
    fallback: 'ask',
  });

  it('shows nothing of files that may not be read without a question, and says so', async () => {
    const tools = await openToolset('fettle', await scratch(files), {policy: () => policy('read:private/**'), approve: undefined});
    expect(await tools.text('grep', {pattern: 'KEY'})).toMatchInlineSnapshot(`
      ".env.example
      1: KEY=

      a.ts
      1: KEY here
      [note: matches in .env, conf/server.pem, private/x.ts are not shown: such a file is searched only by its own path, with permission]"
    `);
    expect((await tools.call('grep', {pattern: 'KEY', path: '.env'})).outcome).toBe('denied');
    expect((await tools.call('grep', {pattern: 'KEY', path: 'private'})).outcome).toBe('denied');
    expect(await tools.text('grep', {pattern: 'KEY', path: '.env.example'})).toContain('KEY=');
  });

  it('a file that a person allows is searched by its own path', async () => {
    const tools = await openToolset('fettle', await scratch(files), {policy: () => policy()});
    expect(await tools.text('grep', {pattern: 'KEY', path: '.env'})).toContain('KEY=1');
  });
});
