import {symlink} from 'node:fs/promises';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {removeShadows} from '../../../../src/lab/rollout/verify/remove-shadows.ts';
import {scratch} from '../../../support/scratch.ts';

describe('what would be loaded instead of a hidden test', () => {
  it('is removed: packages and compiled modules of Python, scripts with another ending (importlib.machinery.FileFinder)', async () => {
    const tests = await scratch({
      'test_a.py': '',
      'sub/helper.ts': '',
      'sub/two.js': '',
      'both/x.py': '',
      'both/x.js': '',
      'data.json': '',
    });
    const kept = [
      'test_a.txt',
      'test_ab.py',
      'test_a_more/x',
      'sub/helper.json',
      'sub/helper.d.ts',
      'sub/two/data.txt',
      'both/x/data.txt',
      'data.js',
    ];
    const planted = [
      'test_a/__init__.py',
      'test_a.cpython-311-x86_64-linux-gnu.so',
      'test_a.pyc',
      'sub/helper',
      'sub/helper.js',
      'sub/two.mjs',
    ];
    const at = await scratch(
      Object.fromEntries(
        [...kept, ...planted, 'test_a.py', 'sub/helper.ts', 'sub/two.js', 'both/x.py', 'both/x.js'].map((name) => [name, '']),
      ),
    );
    await symlink('elsewhere', join(at, 'both/x.so'));
    await removeShadows(tests, at);
    const left = (await readdir(at, {recursive: true, withFileTypes: true})).filter((entry) => !entry.isDirectory());
    expect(left.map((entry) => join(entry.parentPath, entry.name).slice(at.length + 1)).toSorted()).toEqual(
      [...kept, 'test_a.py', 'sub/helper.ts', 'sub/two.js', 'both/x.py', 'both/x.js'].toSorted(),
    );
  });
});
