import {describe, expect, it} from 'vitest';
import {checkFlaw} from '../../../src/policy/shell/ineffective-check.ts';

const EMPTY = [
  '',
  '   ',
  '\n\t\n',
  '# npm test',
  '  # a\n# b',
  'CI=1',
  'A=1 B=2',
  '> out.txt',
  '< in.txt',
  "sh -c ''",
  'bash -c "# npm test"',
  "eval ''",
  'f() { npm test; }',
  '\\\n',
];
const CONSTANT = [
  'true',
  ':',
  '/bin/true',
  'exit 0',
  'echo ok',
  'npm test || true',
  'npm test || :',
  'npm test; true',
  'npm test; exit 0',
  'npm test\necho done',
  '(npm test; true)',
  '{ npm test || echo failed; }',
  'true && :',
  'npm test || exit 0',
  'true | :',
];
const SOUND = [
  'npm test',
  'npm test # all of it',
  'CI=1 npm test',
  'npm test && echo ok',
  'test -f a',
  '[ -f a ]',
  '[[ -f a ]]',
  '(( 1 + 1 ))',
  '! grep -r TODO src',
  '! true',
  'false',
  'exit 1',
  'set -e; npm test; echo ok',
  'npm test || exit 1; echo ok',
  'if ! npm test; then exit 1; fi; true',
  'sh -c "npm test"',
  'f() { npm test; }; f',
  'npm test | tail',
  'X=$(npm test)',
  "trap 'exit 1' ERR; npm test; true",
  'echo ok | grep ok',
  '"',
  '(((((',
];

describe('design 1.4 › a check that runs nothing, or that cannot fail, verifies nothing', () => {
  it.each([
    ...EMPTY.map((line) => [line, 'empty'] as const),
    ...CONSTANT.map((line) => [line, 'constant'] as const),
    ...SOUND.map((line) => [line, undefined] as const),
  ])('%j: %j', async (line, expected) => {
    expect(await checkFlaw(line)).toBe(expected);
  });
});
