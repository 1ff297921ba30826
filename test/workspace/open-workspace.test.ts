import {mkdir, realpath, symlink, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {openWorkspace} from '../../src/workspace/open-workspace.ts';
import type {ResolveOptions} from '../../src/workspace/workspace.ts';
import {writeFileAtomic} from '../../src/workspace/write-file.ts';
import {scratch} from '../support/scratch.ts';
import {casesOf} from '../support/thorough.ts';
import {treeOf} from './tree.ts';

const READ: ResolveOptions = {scope: 'inside', forWrite: false};
const WRITE: ResolveOptions = {scope: 'inside', forWrite: true};
const ANY: ResolveOptions = {scope: 'any', forWrite: false};

async function setUp() {
  const base = await scratch({'repo/src/a.ts': 'a', 'repo-evil/secret': 's', 'outside/secret': 's', 'repo/..dots/x': 'x'});
  const repo = join(base, 'repo');
  const links: Record<string, string> = {
    'link-in': 'src/a.ts',
    'link-out': '../outside/secret',
    'folder-out': '../outside',
    'folder-in': 'src',
    absolute: join(base, 'outside'),
    dangling: 'src/new.ts',
    'dangling-out': '../outside/new',
    'dangling-folder': '../outside/none',
    loop: 'loop2',
    loop2: 'loop',
    'to-proc': '/proc/self',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(repo, name));
  return {base, repo, workspace: await openWorkspace(repo)};
}

describe('openWorkspace', () => {
  it('takes the real path of the root, and refuses what is not a folder', async () => {
    const {base, repo} = await setUp();
    await symlink('repo', join(base, 'alias'));
    expect((await openWorkspace(join(base, 'alias'))).root).toBe(repo);
    await expect(openWorkspace(join(base, 'none'))).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(openWorkspace(join(repo, 'src/a.ts'))).rejects.toMatchObject({code: 'NOT_A_FILE'});
  });
});

describe('resolve', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['./src//./a.ts', 'src/a.ts', true],
    ['src/../src/a.ts', 'src/a.ts', true],
    ['.', '', true],
    ['link-in', 'src/a.ts', true],
    ['folder-in/a.ts', 'src/a.ts', true],
    ['folder-in/deep/new.ts', 'src/deep/new.ts', false],
    ['new/../other', 'other', false],
    ['dangling', 'src/new.ts', false],
    ['..dots/x', '..dots/x', true],
    ['...', '...', false],
    ['~/x', '~/x', false],
    ['$HOME', '$HOME', false],
    ['file:///etc/passwd', 'file:/etc/passwd', false],
    ['src/a.ts/x', 'src/a.ts/x', false],
    [' ', ' ', false],
  ])('%j is %j', async (path, expected, exists) => {
    const {repo, workspace} = await setUp();
    const real = expected === '' ? repo : join(repo, expected);
    const resolved = {requested: path, path: real, relative: expected, inside: true, exists};
    expect(await workspace.resolve(path, READ)).toEqual(resolved);
    expect(await workspace.resolve(path, ANY)).toEqual(resolved);
  });

  it('takes absolute paths into the workspace', async () => {
    const {base, repo, workspace} = await setUp();
    expect(await workspace.resolve(join(repo, 'src/a.ts'), WRITE)).toMatchObject({relative: 'src/a.ts', inside: true});
    expect(await workspace.resolve(join(base, 'outside/../repo/src'), WRITE)).toMatchObject({relative: 'src'});
  });

  it.each([
    '..',
    '../repo-evil/secret',
    '../outside/secret',
    'src/../../outside',
    'link-out',
    'folder-out/secret',
    'folder-out/new',
    'absolute/secret',
    'dangling-out',
    'dangling-folder/x',
    '/',
    '/etc/passwd',
    '/proc/self/cwd',
    'to-proc/cwd/src',
    '/dev/null',
  ])('refuses %s, which leads out (zblade tool calls › paths)', async (path) => {
    const {workspace} = await setUp();
    await expect(workspace.resolve(path, READ)).rejects.toMatchObject({code: 'OUTSIDE_SCOPE'});
    await expect(workspace.resolve(path, WRITE)).rejects.toMatchObject({code: 'OUTSIDE_SCOPE'});
  });

  it('says where paths outside lead, where these are allowed (vibe tool system › file tools)', async () => {
    const {base, workspace} = await setUp();
    expect(await workspace.resolve('link-out', ANY)).toEqual({
      requested: 'link-out',
      path: join(base, 'outside/secret'),
      relative: '../outside/secret',
      inside: false,
      exists: true,
    });
    expect(await workspace.resolve('../repo-evil/new', ANY)).toMatchObject({relative: '../repo-evil/new', exists: false});
  });

  it('refuses to write through dangling links: it would create their targets', async () => {
    const {workspace} = await setUp();
    await expect(workspace.resolve('dangling', WRITE)).rejects.toMatchObject({code: 'NOT_FOUND'});
    for (const path of ['dangling-out', 'dangling-folder/x']) {
      await expect(workspace.resolve(path, {scope: 'any', forWrite: true})).rejects.toMatchObject({code: 'NOT_FOUND'});
    }
  });

  it.each(['/proc/self/environ', '/dev/zero', '/sys/kernel', '/proc', '//dev/null', 'to-proc/environ'])('never takes %s', async (path) => {
    const {workspace} = await setUp();
    await expect(workspace.resolve(path, ANY)).rejects.toMatchObject({code: 'NOT_A_FILE'});
  });

  it('does not take a detour through /proc either', async () => {
    const {repo, workspace} = await setUp();
    await expect(workspace.resolve(`/proc/self/root${repo}/src/a.ts`, ANY)).rejects.toMatchObject({code: 'NOT_A_FILE'});
  });

  it.each([
    ['', 'BAD_ARGS'],
    ['a\0b', 'BAD_ARGS'],
    ['x'.repeat(300), 'BAD_ARGS'],
    ['loop', 'NOT_FOUND'],
    ['loop/x', 'NOT_FOUND'],
  ])('refuses %j with %s', async (path, code) => {
    const {workspace} = await setUp();
    await expect(workspace.resolve(path, READ)).rejects.toMatchObject({code});
  });

  it('resolves, and writes, below the root whatever the links are (property)', {timeout: 60_000}, async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(name, name, fc.constantFrom('..', '.', 'new'));
    const path = fc.array(step, {minLength: 1, maxLength: 5}).map((steps) => steps.join('/'));
    const target = fc.oneof(
      path,
      path.map((tail) => `../outside/${tail}`),
      path.map((tail) => `/proc/self/root/${tail}`),
      fc.constant('ABSOLUTE'),
    );
    const entry = fc.record({at: fc.array(name, {minLength: 1, maxLength: 3}), link: fc.option(target)});
    await fc.assert(
      fc.asyncProperty(fc.array(entry, {maxLength: 8}), fc.array(path, {minLength: 1, maxLength: 6}), async (entries, paths) => {
        const base = await scratch({'outside/a/secret': 's', 'repo/x': ''});
        const root = join(base, 'repo');
        for (const {at, link} of entries) await place(base, join(root, ...at), link);
        const workspace = await openWorkspace(root);
        for (const path of paths) {
          const resolved = await workspace.resolve(path, READ).catch(() => undefined);
          if (resolved !== undefined) expect(isBelow(root, await realOfNearest(resolved.path)), resolved.path).toBe(true);
          const target = await workspace.resolve(path, WRITE).catch(() => undefined);
          if (target !== undefined) await writeFileAtomic(target.path, Buffer.from('w')).catch(() => undefined);
        }
        expect(await treeOf(join(base, 'outside'))).toEqual({a: 'folder', 'a/secret': 's'});
      }),
      {numRuns: casesOf(150)},
    );
  });

  async function place(base: string, at: string, link: string | null) {
    try {
      if (!isBelow(join(base, 'repo'), await realOfNearest(dirname(at)))) return;
      await mkdir(dirname(at), {recursive: true});
      if (link === null) await writeFile(at, 'x', {flag: 'wx'});
      else await symlink(link === 'ABSOLUTE' ? join(base, 'outside/a') : link, at);
    } catch {
      return; // something is there already
    }
  }

  async function realOfNearest(path: string): Promise<string> {
    return realpath(path).catch(() => realOfNearest(dirname(path)));
  }

  function isBelow(root: string, path: string): boolean {
    return !relative(root, path).split('/').includes('..');
  }
});
