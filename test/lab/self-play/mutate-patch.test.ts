import {describe, expect, it} from 'vitest';
import {mutatePatch} from '../../../src/lab/self-play/mutate-patch.ts';

function patchOf(...added: readonly string[]): string {
  const head = ['diff --git a/x.js b/x.js', '--- a/x.js', '+++ b/x.js', `@@ -1,1 +1,${added.length} @@`, '-old'];
  return `${[...head, ...added.map((line) => `+${line}`)].join('\n')}\n`;
}

function changes(...added: readonly string[]): string[] {
  return mutatePatch(patchOf(...added), 100).map(({changed}) => changed);
}

describe('mutatePatch', () => {
  it('changes comparisons, operators and constants', () => {
    expect(changes('if (a === b && c < 10) return a + 1;')).toEqual([
      'if (a !== b && c < 10) return a + 1;',
      'if (a === b && c >= 10) return a + 1;',
      'if (a === b || c < 10) return a + 1;',
      'if (a === b && c < 10) return a - 1;',
      'if (a === b && c < 11) return a + 1;',
    ]);
    expect(changes('return a == b or not True')).toEqual([
      'return a != b or not True',
      'return a == b or not False',
      'return a == b and not True',
    ]);
  });

  it('changes one line of the patch, and nothing else', () => {
    const patch = patchOf('const a = f();', 'return a <= b;');
    expect(mutatePatch(patch)).toEqual([
      {line: 'return a <= b;', changed: 'return a > b;', patch: patch.replace('+return a <= b;', '+return a > b;')},
    ]);
  });

  it('leaves lines out where there is nothing else, but no comments and empty lines', () => {
    expect(mutatePatch(patchOf('// 1 + 1', '', 'call(a);')).map(({line, changed}) => [line, changed])).toEqual([['call(a);', '']]);
  });

  it('puts back what a hunk only removes', () => {
    const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b\n@@ -9 +8 @@\n-c\n+d(1)\n';
    expect(mutatePatch(patch).map(({line, changed, patch: mutant}) => [line, changed, mutant.split('\n').slice(3)])).toEqual([
      ['d(1)', 'd(2)', ['@@ -1,2 +1 @@', ' a', '-b', '@@ -9 +8 @@', '-c', '+d(2)', '']],
      ['b', 'b', ['@@ -9 +8 @@', '-c', '+d(1)', '']],
    ]);
    expect(mutatePatch('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n')).toEqual([{line: 'a', changed: 'a', patch: ''}]);
  });

  it('makes at most as many as asked, over the whole patch', () => {
    const many = Array.from({length: 30}, (_, at) => `f(${at})`);
    expect(mutatePatch(patchOf(...many), 3).map(({line}) => line)).toEqual(['f(0)', 'f(10)', 'f(20)']);
    expect(mutatePatch(patchOf(...many))).toHaveLength(8);
  });

  it('of a huge patch makes no more than it returns: all of them would need gigabytes', () => {
    expect(mutatePatch(patchOf(...Array.from({length: 40_000}, (_, at) => `f(a < ${at})`)))).toHaveLength(8);
  });
});
