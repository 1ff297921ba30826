import {describe, expect, it} from 'vitest';
import {mutateTests} from '../../../src/lab/self-play/mutate-tests.ts';

function changes(...lines: readonly string[]): string[] {
  const files = [{path: 'a', bytes: new TextEncoder().encode(lines.join('\n'))}];
  return mutateTests({command: 'run', digest: 'd', files}, 100).map((one) => new TextDecoder().decode(one.files[0]?.bytes));
}

describe('mutateTests', () => {
  it('changes one expectation at a time, and no line that loads code', () => {
    expect(changes("import {f} from './f.js';", 'const a = 1;', "assert.equal(f(2), 'x');")).toEqual([
      "import {f} from './f.js';\nconst a = 1;\nassert.equal(f(3), 'x');",
      "import {f} from './f.js';\nconst a = 1;\nassert.equal(f(2), 'x~');",
    ]);
    expect(changes('[ "$(add 2)" = five ] || exit')).toEqual([
      '[ "$(add 2)" = five ] && exit',
      '[ "$(add 3)" = five ] || exit',
      '[ "$(add 2)~" = five ] || exit',
      '[ "$(add 2)" = five~ ] || exit',
    ]);
    expect(changes('const f = require("./f==1");', 'f();')).toEqual([]);
  });

  it.each([
    ['test "$(cat a)" = 42', ['test "$(cat a)" = 43', 'test "$(cat a)~" = 42', 'test "$(cat a)" = 42~']],
    ['test $(cat a) = yes', ['test $(cat a) = yes~']],
    ["grep -q 'done' a", ["grep -q 'done~' a"]],
    ['node --test self-play-tests/ && true', []],
    ['python3 -m unittest "self-play-tests"', []],
  ])('changes the shell line only where it compares by itself: %s', (command, expected) => {
    expect(mutateTests({command, digest: 'd', files: []}).map((one) => one.command)).toEqual(expected);
  });

  it('gives each its own digest, and at most as many as asked', () => {
    const bytes = new TextEncoder().encode(Array.from({length: 30}, (_, at) => `assert f(${at})`).join('\n'));
    const all = mutateTests({command: 'run', digest: 'd', files: [{path: 'a', bytes}]});
    expect([all.length, new Set(all.map(({digest}) => digest)).size]).toEqual([8, 8]);
  });

  it('of a test set as large as one may be makes no more than it returns: all of them would need gigabytes', () => {
    const bytes = new TextEncoder().encode('x < 1\n'.repeat(43_000));
    expect(mutateTests({command: 'run', digest: 'd', files: [{path: 'a', bytes}]})).toHaveLength(8);
  });
});
