import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cleanPatch} from '../../../src/lab/self-play/patch-sections.ts';

function section(path: string): string {
  return `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n-old\n+new\n+--- more\n`;
}

describe('cleanPatch', () => {
  it('drops the changes of tests and of files that test runners load', () => {
    const judging = [
      'test/a.js',
      'src/__tests__/b.ts',
      'a.test.mjs',
      'pkg/test_a.py',
      'a_test.go',
      'conftest.py',
      'self-play-tests/x.sh',
      'hidden-tests/v.mjs',
    ];
    expect(cleanPatch([...judging, 'src/a.js', 'src/latest.js', 'contest.py'].map(section).join(''))).toEqual({
      patch: ['src/a.js', 'src/latest.js', 'contest.py'].map(section).join(''),
      lines: 9,
      dropped: judging,
    });
  });

  it('reads names with spaces, and drops what it cannot read', () => {
    expect(cleanPatch(section('a b/c b/d.js')).lines).toBe(3);
    expect(cleanPatch('diff --git a/x b/y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n')).toEqual({patch: '', lines: 0, dropped: []});
    expect(cleanPatch('# the difference could not be made: no\n')).toEqual({patch: '', lines: 0, dropped: []});
  });

  it.each(['\r', '\u2028'])('takes nothing that a file contains behind %j for a section: git does not either', (end) => {
    const test = section('test/a.js').replace('+new', `+x${end}diff --git a/a.js b/a.js\n+new`);
    expect(cleanPatch(`${test}${section('b.js')}`)).toEqual({patch: section('b.js'), lines: 3, dropped: ['test/a.js']});
    const source = section('a.js').replace('+new', `+x${end}diff --git a/conftest.py b/conftest.py\n+new`);
    expect(cleanPatch(source)).toEqual({patch: source, lines: 4, dropped: []});
  });

  it('keeps only whole sections of the patch', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a.js', 'test/a.js', 'b c.py', 'conftest.py')), (paths) => {
        expect(cleanPatch(paths.map(section).join('')).patch).toBe(
          paths
            .filter((path) => path === 'a.js' || path === 'b c.py')
            .map(section)
            .join(''),
        );
      }),
    );
  });
});
