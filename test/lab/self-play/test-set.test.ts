import {describe, expect, it} from 'vitest';
import {readTestSet} from '../../../src/lab/self-play/test-set.ts';

function answer(paths: readonly string[], command = 'node self-play-tests/a.mjs'): string {
  return JSON.stringify({command, tests: paths.map((path) => ({path, content: 'x'})), rationale: ''});
}

describe('readTestSet', () => {
  it('reads files below the folder of tests, however they are named', () => {
    const {command, files} = readTestSet(answer(['a.mjs', './self-play-tests/b.mjs', 'self-play-tests/c/d.mjs']));
    expect([command, files.map(({path, bytes}) => [path, new TextDecoder().decode(bytes)])]).toEqual([
      'node self-play-tests/a.mjs',
      [
        ['a.mjs', 'x'],
        ['b.mjs', 'x'],
        ['c/d.mjs', 'x'],
      ],
    ]);
  });

  it('knows equal test sets by their digest', () => {
    const digests = [answer(['a']), answer(['a']), answer(['b']), answer(['a'], 'true')].map((text) => readTestSet(text).digest);
    expect([digests[0] === digests[1], new Set(digests).size]).toEqual([true, 3]);
  });

  it.each([
    ['no JSON', 'I wrote tests.'],
    ['no files', answer([])],
    ['no shell line', answer(['a'], '')],
    ['too many files', answer(Array.from({length: 21}, (_, at) => `f${at}`))],
    ['a path that leads out', answer(['../add.mjs'])],
    ['an absolute path', answer(['/tmp/a'])],
    ['a repository', answer(['.git/hooks/x'])],
    ['the same path twice', answer(['a', 'self-play-tests/a'])],
    ['a file that is also a folder', answer(['a', 'a/b'])],
    ['too much', JSON.stringify({command: 'x', tests: [{path: 'a', content: 'x'.repeat(300_000)}]})],
  ])('refuses an answer with %s', (_, text) => {
    expect(() => readTestSet(text)).toThrow(/^No test set: /);
  });
});
