import {execFile, execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import type {ApprovalRequest} from '../../../src/tools/dispatch/dispatch.ts';
import {scratch} from '../../support/scratch.ts';
import {agents, call, delegationRig, lastResult, type Answer, type Rig} from '../delegation-support.ts';

const PROFILE = `---
name: builder
description: Builds in a copy.
isolation: worktree
---
You build.
`;

function git(cwd: string, ...args: readonly string[]): string {
  const env = {PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1'};
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=trunk'];
  return execFileSync('git', [...who, ...args], {cwd, env, encoding: 'utf8'}).trimEnd();
}

async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await scratch(files);
  git(cwd, 'init', '--quiet');
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  return cwd;
}

async function rigIn(cwd: string, script: {parent: readonly Answer[]; child: readonly Answer[]}): Promise<Rig> {
  const rig = await delegationRig({parent: script.parent, children: {ALPHA: script.child}}, {}, cwd);
  execFileSync('mkdir', ['-p', join(rig.home, 'agents')]);
  writeFileSync(join(rig.home, 'agents', 'builder.md'), PROFILE);
  return rig;
}

const SPAWN = agents({action: 'spawn', agent: 'builder', message: 'ALPHA'});
const WAIT = agents({action: 'wait', agent: 'builder-1'});
const MERGE = call('merge_agent', {agent: 'builder-1'});
const EDIT = (path: string, from: string, to: string) => call('edit', {path, old_string: from, new_string: to});
const READ = (path: string) => call('read', {path});
const FILES = {'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n', 'b.txt': 'b\n'};

/** What is left of copies. */
function leftovers(rig: Rig, cwd: string): {worktrees: number; files: string[]} {
  const place = join(rig.home, 'state', 'worktrees');
  return {
    worktrees: git(cwd, 'worktree', 'list').split('\n').length - 1,
    files: existsSync(place) ? readdirSync(place).map((name) => name.replace(/^thr_\w+/, 'thr')) : [],
  };
}

const yes = (requests: ApprovalRequest[]) => async (request: ApprovalRequest) => {
  requests.push(request);
  return {decision: 'allow'} as const;
};

describe('isolation: worktree (VT Code › delegation, without its mistakes)', () => {
  it('works on a copy with what is changed and not committed; the workspace stays as it is until somebody agrees to the merge', async () => {
    const cwd = await repository(FILES);
    writeFileSync(join(cwd, 'a.txt'), FILES['a.txt'].replace('seven', 'SEVEN'));
    writeFileSync(join(cwd, 'new.txt'), 'untracked\n');
    writeFileSync(join(cwd, 'b.txt'), 'staged\n');
    git(cwd, 'add', 'b.txt');
    const before = git(cwd, 'status', '--porcelain');
    const index = readFileSync(join(cwd, '.git', 'index'));
    const shown: string[] = [];
    const rig = await rigIn(cwd, {
      parent: [
        SPAWN,
        WAIT,
        (request) => (shown.push(lastResult(request)), shown.push(git(cwd, 'status', '--porcelain')), MERGE),
        (request) => (shown.push(lastResult(request)), {text: 'Done.'}),
      ],
      child: [
        READ('a.txt'),
        EDIT('a.txt', 'one', 'ONE'),
        READ('new.txt'),
        call('write', {path: 'made/c.txt', content: 'c\n'}),
        {text: 'Built.'},
      ],
    });
    const requests: ApprovalRequest[] = [];
    const {thread, events, run} = await rig.open({approve: yes(requests)});
    const result = await run('Go.');
    expect(rig.violations).toEqual([]);
    expect(shown).toMatchInlineSnapshot(`
      [
        "builder-1: completed
      Built.
      [2 changed files not merged: merge_agent]

      diff --git a/a.txt b/a.txt
      index 71afbf1..2bf51d2 100644
      --- a/a.txt
      +++ b/a.txt
      @@ -1,4 +1,4 @@
      -one
      +ONE
       two
       three
       four
      diff --git a/made/c.txt b/made/c.txt
      new file mode 100644
      index 0000000..f2ad6c7
      --- /dev/null
      +++ b/made/c.txt
      @@ -0,0 +1 @@
      +c",
        " M a.txt
      M  b.txt
      ?? new.txt",
        "Merged from builder-1:
      M a.txt
      A made/c.txt",
      ]
    `);
    expect(
      requests.map(({toolName, subjects}) => [
        toolName,
        subjects.map((one) => (one.kind === 'path' ? one.relative : one.kind === 'name' ? one.name : '')),
      ]),
    ).toEqual([['merge_agent', ['builder-1', 'a.txt', 'made/c.txt']]]);
    expect(shown[1]).toBe(before);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
    expect(readFileSync(join(cwd, 'made/c.txt'), 'utf8')).toBe('c\n');
    // "never touches the user's index or stash"
    expect(readFileSync(join(cwd, '.git', 'index')).equals(index)).toBe(true);
    expect(git(cwd, 'stash', 'list')).toBe('');
    expect(git(cwd, 'branch', '--list')).toBe('* trunk');
    expect(leftovers(rig, cwd)).toEqual({worktrees: 0, files: []});
    // The merge can be undone, like any other change.
    const kept = events.find((event) => event.type === 'checkpoint.completed');
    await thread.restore({id: kept?.checkpoint_id ?? '', scope: 'files'});
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(FILES['a.txt'].replace('seven', 'SEVEN'));
    await thread.close(result);
  });

  it('headless, a rule lets it be merged', async () => {
    const cwd = await repository(FILES);
    const rig = await rigIn(cwd, {
      parent: [SPAWN, WAIT, MERGE, {text: 'Done.'}],
      child: [READ('a.txt'), EDIT('a.txt', 'one', 'ONE'), {text: 'Built.'}],
    });
    const {thread, run} = await rig.open({flags: {'--allow': ['merge_agent:*']}});
    const result = await run('Go.');
    await thread.close(result);
    expect(result.outcome).toBe('success');
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(FILES['a.txt'].replace('one', 'ONE'));
  });

  it('headless, nobody can agree: the merge is denied, the work is kept', async () => {
    const cwd = await repository(FILES);
    const rig = await rigIn(cwd, {
      parent: [SPAWN, WAIT, MERGE, {text: 'Could not.'}],
      child: [READ('a.txt'), EDIT('a.txt', 'one', 'ONE'), {text: 'Built.'}],
    });
    const {thread, run} = await rig.open();
    const result = await run('Go.');
    await thread.close(result);
    expect([result.outcome, result.denied]).toEqual(['denied', ['merge_agent']]);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(FILES['a.txt']);
    expect(leftovers(rig, cwd)).toEqual({worktrees: 0, files: ['thr.json']});
  });

  it('both changed other places of a file: merged; the same place: nothing at all is merged', async () => {
    const cwd = await repository(FILES);
    const shown: string[] = [];
    const rig = await rigIn(cwd, {
      parent: [
        SPAWN,
        WAIT,
        () => {
          writeFileSync(join(cwd, 'a.txt'), FILES['a.txt'].replace('one', 'mine'));
          return MERGE;
        },
        (request) => {
          shown.push(lastResult(request));
          writeFileSync(join(cwd, 'a.txt'), FILES['a.txt'].replace('seven', 'mine'));
          return MERGE;
        },
        {text: 'Done.'},
      ],
      child: [READ('a.txt'), EDIT('a.txt', 'one', 'ONE'), READ('b.txt'), EDIT('b.txt', 'b', 'B'), {text: 'Built.'}],
    });
    const {thread, run} = await rig.open({approve: yes([])});
    await thread.close(await run('Go.'));
    expect(shown).toEqual([
      'Error: Nothing was merged: the workspace has other changes at the same place in a.txt.\nMerge your changes with those of the diff by hand, or tell the subagent to start over.',
    ]);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(FILES['a.txt'].replace('seven', 'mine').replace('one', 'ONE'));
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('B\n');
  });

  it('into the branch that it came from, whatever its name, and no other', async () => {
    const cwd = await repository(FILES);
    const shown: string[] = [];
    const rig = await rigIn(cwd, {
      parent: [
        SPAWN,
        WAIT,
        () => {
          git(cwd, 'checkout', '--quiet', '-b', 'other');
          return MERGE;
        },
        (request) => {
          shown.push(lastResult(request));
          git(cwd, 'checkout', '--quiet', 'trunk');
          return MERGE;
        },
        {text: 'Done.'},
      ],
      child: [READ('a.txt'), EDIT('a.txt', 'one', 'ONE'), {text: 'Built.'}],
    });
    const {thread, run} = await rig.open({approve: yes([])});
    await thread.close(await run('Go.'));
    expect(shown).toEqual([
      'Error: The work came from trunk, and the workspace is on other now.\nCheck out trunk first; nothing was changed.',
    ]);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toContain('ONE');
  });

  it('its commands are confined to the copy in the mode full-auto, and the merge needs nobody', async () => {
    const cwd = await repository(FILES);
    writeFileSync(join(cwd, 'run.sh'), `#!/bin/sh\necho no > ${cwd}/a.txt\n`, {mode: 0o755});
    const shown: string[] = [];
    const rig = await rigIn(cwd, {
      parent: [SPAWN, WAIT, MERGE, {text: 'Done.'}],
      child: [
        call('bash', {command: 'head -1 a.txt; echo B > b.txt; ./run.sh; cat b.txt'}),
        (request) => (shown.push(lastResult(request)), {text: 'Built.'}),
      ],
    });
    const {thread, run} = await rig.open({flags: {'--mode': 'full-auto'}});
    await thread.close(await run('Go.'));
    expect(shown[0]).toContain('one\n');
    // In the walls this path is another, or none: without them the file would have changed.
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(FILES['a.txt']);
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('B\n');
  });

  it('goes on in its own copy: what it did before is there', async () => {
    const cwd = await repository(FILES);
    const rig = await rigIn(cwd, {
      parent: [SPAWN, WAIT, agents({action: 'send', agent: 'builder-1', message: 'More.'}), WAIT, MERGE, {text: 'Done.'}],
      child: [
        READ('a.txt'),
        EDIT('a.txt', 'one', 'ONE'),
        {text: 'Built.'},
        READ('a.txt'),
        EDIT('a.txt', 'two', 'TWO'),
        {text: 'Built more.'},
      ],
    });
    const {thread, run} = await rig.open({approve: yes([])});
    await thread.close(await run('Go.'));
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(FILES['a.txt'].replace('one', 'ONE').replace('two', 'TWO'));
    expect(leftovers(rig, cwd)).toEqual({worktrees: 0, files: []});
  });

  it('a copy that was being filled when its process died is thrown away; what was done before is kept (issue 5 › crash)', async () => {
    const cwd = await repository(FILES);
    const rig = await rigIn(cwd, {
      parent: [SPAWN, WAIT, {text: 'Later.'}, MERGE, {text: 'Done.'}],
      child: [READ('a.txt'), EDIT('a.txt', 'one', 'ONE'), {text: 'Built.'}],
    });
    const first = await rig.open();
    await first.thread.close(await first.run('Go.'));
    // As `resume` leaves it when it is killed between the two commands of git that make the copy.
    const folder = join(rig.home, 'state', 'worktrees');
    const [name = ''] = readdirSync(folder);
    const facts = JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
    writeFileSync(join(folder, name), JSON.stringify({...facts, owner: {pid: 4_194_305}, opening: true}));
    git(cwd, 'worktree', 'add', '--detach', '--no-checkout', join(folder, name.replace('.json', '')), 'HEAD');
    const again = await rig.open({resume: 'latest', approve: yes([])});
    await again.thread.close(await again.run('Merge it.'));
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(FILES['a.txt'].replace('one', 'ONE'));
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('b\n');
    expect(leftovers(rig, cwd)).toEqual({worktrees: 0, files: []});
  });

  it('what processes that died were writing is swept, what a living one writes is not', async () => {
    const cwd = await repository(FILES);
    const rig = await rigIn(cwd, {parent: [{text: 'Done.'}], child: []});
    const folder = join(rig.home, 'state', 'worktrees');
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    mkdirSync(join(folder, 'merge-4194305-aaaaaa'), {recursive: true});
    mkdirSync(join(folder, `merge-${process.pid}-aaaaaa`));
    for (const name of ['thr_1.index', 'thr_1.index.lock', 'thr_2.json.new', 'thr_3.index']) {
      writeFileSync(join(folder, name), '');
      if (name !== 'thr_3.index') utimesSync(join(folder, name), old, old);
    }
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(readdirSync(folder).sort()).toEqual([`merge-${process.pid}-aaaaaa`, 'thr_3.index']);
  });

  it('runs no hook and no filter that the repository names (security › git)', async () => {
    const cwd = await repository({...FILES, '.gitattributes': '*.txt filter=evil\n'});
    const mark = join(await scratch({}), 'ran');
    writeFileSync(join(cwd, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${mark}\n`, {mode: 0o755});
    git(cwd, 'config', 'filter.evil.smudge', `touch ${mark}; cat`);
    git(cwd, 'config', 'filter.evil.clean', `touch ${mark}; cat`);
    git(cwd, 'config', 'core.fsmonitor', `touch ${mark}`);
    const rig = await rigIn(cwd, {
      parent: [SPAWN, WAIT, MERGE, {text: 'Done.'}],
      child: [READ('a.txt'), EDIT('a.txt', 'one', 'ONE'), {text: 'Built.'}],
    });
    const {thread, run} = await rig.open({approve: yes([])});
    await thread.close(await run('Go.'));
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toContain('ONE');
    expect(existsSync(mark)).toBe(false);
  });

  it('a link on the way is not followed when it is merged', async () => {
    const cwd = await repository({...FILES, 'd/x.txt': 'x\n'});
    const outside = await scratch({'x.txt': 'x\n'});
    const shown: string[] = [];
    const rig = await rigIn(cwd, {
      parent: [
        SPAWN,
        WAIT,
        () => {
          execFileSync('rm', ['-r', join(cwd, 'd')]);
          symlinkSync(outside, join(cwd, 'd'));
          return MERGE;
        },
        (request) => (shown.push(lastResult(request)), {text: 'Done.'}),
      ],
      child: [READ('d/x.txt'), EDIT('d/x.txt', 'x', 'y'), {text: 'Built.'}],
    });
    const {thread, run} = await rig.open({approve: yes([])});
    await thread.close(await run('Go.'));
    expect(shown[0]).toContain('Nothing was merged: the workspace has other changes at the same place in d/x.txt.');
    expect(readFileSync(join(outside, 'x.txt'), 'utf8')).toBe('x\n');
  });

  it('no repository: the spawn says so, and leaves nothing', async () => {
    const cwd = await scratch(FILES);
    const shown: string[] = [];
    const rig = await rigIn(cwd, {parent: [SPAWN, (request) => (shown.push(lastResult(request)), {text: 'Done.'})], child: []});
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(shown[0]?.replace(cwd, '<cwd>')).toBe(
      'Error: <cwd> is not in a git repository with a commit, so it cannot be copied.\nMake a first commit, or use a profile without isolation.',
    );
    expect(readdirSync(join(rig.home, 'state', 'worktrees'))).toEqual([]);
  });
});

describe('tools of its own on a copy (vibe tool system › Tool Configuration Resolution)', () => {
  it('have the options that the session was opened with, above those of the configuration', async () => {
    const seen: string[] = [];
    const rig = await rigIn(await repository(FILES), {
      parent: [SPAWN, WAIT, {text: 'Done.'}],
      child: [call('counted', {}), (request) => (seen.push(lastResult(request)), {text: 'Counted.'})],
    });
    mkdirSync(join(rig.home, 'tools'));
    writeFileSync(join(rig.home, 'tools/counted.ts'), COUNTED);
    writeFileSync(join(rig.home, 'config.toml'), '[tools.counted]\npermission = "always"\nlimit = 7\n');
    const order = {cwd: rig.cwd, home: rig.home, url: rig.url, prompt: 'Go.', toolOptions: {counted: {words: 'of the session'}}};
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../thread-with-options.ts'), JSON.stringify(order)]);
    expect([seen, rig.violations]).toEqual([['{"limit":7,"words":"of the session"}'], []]);
  });
});

const COUNTED = `import {defineCustomTool, z} from 'fettle/tools';
export const t = defineCustomTool({
  description: 'd', args: z.object({}), result: z.string(), sideEffect: 'pure',
  config: z.object({limit: z.number().default(5), words: z.string().default('none')}),
  async run(_, {config}) { return JSON.stringify(config); },
});`;
