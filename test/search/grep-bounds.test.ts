import {truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {bothEngines, grepQuery, never} from './support.ts';

describe.each(Object.entries(bothEngines('/nonexistent')))(
  'grep with the %s engine: what is too large, and what is ignored',
  (_, engine) => {
    it('a file above the size asked for is passed over, also one with text at its beginning', async () => {
      const root = await scratch({'a.txt': 'word\n', 'disk.img': 'word\n'});
      await truncate(join(root, 'disk.img'), 50 * 1024 ** 3);
      const query = grepQuery({root, pattern: 'word', maxFileBytes: 1024 ** 3});
      expect((await engine.grep(query, never())).matches.map(({path}) => path)).toEqual(['a.txt']);
    });

    it('a glob that only narrows finds nothing that is ignored (microcode tools › grep: "files outside the gitignore set")', async () => {
      const root = await scratch({
        '.gitignore': '*.log\n!keep.log\nout/\n',
        'a.log': 'word\n',
        'keep.log': 'word\n',
        'out/b.log': 'word\n',
        'd/.gitignore': '/c.txt\n',
        'd/c.txt': 'word\n',
        'd/e/c.txt': 'word\n',
      });
      const paths = async (globs: readonly string[], globsNarrow: boolean): Promise<string[]> => {
        const {matches} = await engine.grep(
          grepQuery({root, pattern: 'word', requireGit: false, hidden: true, globs, globsNarrow}),
          never(),
        );
        return matches.map(({path}) => path);
      };
      expect(await paths(['*.log', 'c.txt'], true)).toEqual(['d/e/c.txt', 'keep.log']);
      expect(await paths(['*.log', 'c.txt'], false)).toEqual(['a.log', 'd/c.txt', 'd/e/c.txt', 'keep.log']);
      expect(await paths(['out/**', 'out/'], true)).toEqual([]);
    });

    it('a flood of ignored matches does not hide the others', async () => {
      const root = await scratch({'.gitignore': 'noise.log\n', 'z.log': 'word\n'});
      await writeFile(join(root, 'noise.log'), 'word\n'.repeat(100_000));
      const query = grepQuery({
        root,
        pattern: 'word',
        requireGit: false,
        hidden: true,
        globs: ['*.log'],
        globsNarrow: true,
        maxMatches: 10,
      });
      expect((await engine.grep(query, never())).matches.map(({path, line}) => `${path}:${line}`)).toEqual(['z.log:1']);
    });
  },
);
