import {execFileSync} from 'node:child_process';
import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openIgnoreFolder} from '../../../src/workspace/ignore/ignore-folder.ts';
import {scratch} from '../../support/scratch.ts';

const REPOSITORY = {'.git/HEAD': 'ref: refs/heads/m\n', '.git/objects/.keep': '', '.git/refs/.keep': ''};

function repositoryAt(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(REPOSITORY).map(([path, text]) => [`${folder}/${path}`, text]));
}

async function verdicts(root: string, paths: readonly string[], rules: {requireGit?: boolean; toolFiles?: boolean} = {}): Promise<string> {
  const env = {HOME: join(root, 'nobody'), GIT_CONFIG_NOSYSTEM: '1'};
  const found = paths.map(async (path) => {
    const at = path.lastIndexOf('/');
    const folder = await openIgnoreFolder(join(root, path.slice(0, Math.max(0, at))), {requireGit: true, toolFiles: true, env, ...rules});
    return folder.judge(path.slice(at + 1), false) ?? '-';
  });
  return (await Promise.all(found)).join(' ');
}

describe('where ignore rules come from (gitignore(5))', () => {
  it('the nearest .gitignore wins over those above, info/exclude and core.excludesFile', async () => {
    const root = await scratch({...REPOSITORY, '.gitignore': '*.log\n', 'd/.gitignore': '!a.log\n', '.git/info/exclude': 'x\n!*.log\n'});
    expect(await verdicts(root, ['a.log', 'd/a.log', 'd/b.log', 'd/x', 'y'])).toBe('ignored included ignored ignored -');
  });

  it('a nested repository starts afresh, also one with a .git file; a broken one does not', async () => {
    const files = {
      '.gitignore': '*.log\n',
      'work/.git': 'gitdir: ../store\n',
      'store/HEAD': 'x',
      'store/commondir': '../main\n',
      'bad/.git': 'gitdir: nowhere\n',
    };
    const main = {'main/objects/.keep': '', 'main/refs/.keep': '', 'main/info/exclude': 'w\n'};
    const root = await scratch({...REPOSITORY, ...repositoryAt('sub'), ...files, ...main});
    expect(await verdicts(root, ['sub/a.log', 'work/a.log', 'work/w', 'bad/a.log'])).toBe('- - ignored ignored');
    const top = await openIgnoreFolder(root, {requireGit: true, toolFiles: true, env: {HOME: root}});
    const sub = await top.enter('sub', (name) => name === '.git');
    expect([top.judge('a.log', false), sub.judge('a.log', false)]).toEqual(['ignored', undefined]);
  });

  it('without a repository .gitignore counts only on request, .ignore always', async () => {
    const root = await scratch({'.gitignore': 'a\n', '.ignore': 'b\n', 'd/x': ''});
    expect(await verdicts(root, ['a', 'd/a', 'd/b'])).toBe('- - ignored');
    expect(await verdicts(root, ['a', 'd/a', 'd/b'], {requireGit: false})).toBe('ignored ignored ignored');
  });

  it('.rgignore beats .ignore beats .gitignore, wherever they stand; all can be left to git alone', async () => {
    const root = await scratch({...REPOSITORY, 'd/.gitignore': 'a\n!b\n!c\n', '.ignore': '!a\nb\n', '.rgignore': 'c\n'});
    expect(await verdicts(root, ['d/a', 'd/b', 'd/c'])).toBe('included ignored ignored');
    expect(await verdicts(root, ['d/a', 'd/b', 'd/c'], {toolFiles: false})).toBe('ignored included included');
  });

  it('a .gitignore that is a link or a FIFO is not read', async () => {
    const root = await scratch({...REPOSITORY, rules: 'a\n', 'd/x': ''});
    await symlink('rules', join(root, '.gitignore'));
    execFileSync('mkfifo', [join(root, 'd/.gitignore'), join(root, 'd/.ignore')]);
    expect(await verdicts(root, ['a', 'd/a'])).toBe('- -');
  });
});
