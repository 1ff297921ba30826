import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {kept, treeOf} from './support.ts';

const IGNORE = '.env*\n*.sqlite\ndata/\nnode_modules\nuploads/\n*.bin\n';
const FILES = {
  '.gitignore': IGNORE,
  'src/a.ts': 'code',
  '.env': 'TOKEN=1\n',
  'src/.env.local': 'X=1',
  'app.sqlite': 'rows',
  'data/deep/er/notes.txt': 'mine',
};

function many(folder: string, count: number): Record<string, string> {
  return Object.fromEntries(Array.from({length: count}, (_, n) => [`${folder}/f${String(n).padStart(4, '0')}`, String(n)]));
}

describe('ignored files that a command deletes or changes are kept within a quota or named (design 1.2: everything can be undone)', () => {
  for (const command of [
    'git init -q && git clean -fdXq',
    'rm -rf .env src/.env.local app.sqlite data',
    'for f in .env src/.env.local app.sqlite data/deep/er/notes.txt; do echo other > $f; done',
    'mv .env .environment; mv data old; rm .gitignore; : > app.sqlite',
    'chmod 755 .env; ln -sf /etc/passwd app.sqlite; rm -r data; echo file > data',
  ]) {
    it(`undo brings them back, redo takes them away again: ${command}`, async () => {
      const at = await kept(FILES);
      const before = treeOf(at.root);
      const done = await at.turn('tree', () => execFileSync('sh', ['-c', `${command}; rm -rf .git`], {cwd: at.root}));
      const after = treeOf(at.root);
      const undo = await at.restore(done?.id);
      expect([treeOf(at.root), undo.refused]).toEqual([before, []]);
      await at.restore(undo.id);
      expect(treeOf(at.root)).toEqual(after);
    });
  }

  it('what is created anew by a later turn is undone with it; files that were there unseen are never deleted', async () => {
    const at = await kept(FILES);
    const before = treeOf(at.root);
    const first = await at.turn('tree', () => execFileSync('sh', ['-c', 'rm .env'], {cwd: at.root}));
    await at.turn('tree', () => writeFileSync(join(at.root, '.env'), 'new'));
    expect((await at.restore(first?.id)).refused).toEqual([]);
    expect(treeOf(at.root)).toEqual(before);
  });

  it('what is too large, too much, or a cache is named when it goes, and stays silent while it is there', async () => {
    const at = await kept({
      ...FILES,
      ...many('uploads', 1200),
      'node_modules/p/index.js': 'x',
      'dump.bin': new Uint8Array(1_200_000),
    });
    const quiet = await at.turn('tree', () => writeFileSync(join(at.root, 'src/a.ts'), 'code 2'));
    expect(quiet).toMatchObject({changed: ['src/a.ts'], notes: []});
    const some = await at.turn('tree', () =>
      execFileSync('sh', ['-c', 'rm uploads/f0003 uploads/f0007; echo more >> dump.bin'], {cwd: at.root}),
    );
    expect(some?.notes).toEqual([
      'dump.bin cannot be brought back: too large, unreadable, or no room.',
      'uploads (ignored by git, not saved) lost f0003, f0007: not brought back.',
    ]);
    const all = await at.turn('tree', () => execFileSync('sh', ['-c', 'rm -r uploads node_modules'], {cwd: at.root}));
    expect(all?.notes.toSorted()).toEqual([
      'node_modules (ignored by git, not saved) is gone: it cannot be brought back.',
      'uploads (ignored by git, not saved) is gone: it cannot be brought back.',
    ]);
    expect(at.list().at(-1)?.notes).toEqual(all?.notes);
  });

  it('a tree of ignored files that a command makes does not crowd out what was kept, nor is a part of it undone', async () => {
    const at = await kept(FILES);
    const done = await at.turn('tree', () =>
      execFileSync('sh', ['-c', 'mkdir uploads && cd uploads && seq 1500 | xargs touch; rm ../.env'], {cwd: at.root}),
    );
    expect(done?.changed).toEqual(['.env']);
    await at.restore(done?.id);
    expect(readFileSync(join(at.root, '.env'), 'utf8')).toBe('TOKEN=1\n');
  });
});
