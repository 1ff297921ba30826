import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {scratch} from '../../support/scratch.ts';
import {bothEngines, grepQuery, never} from '../support.ts';

const INVALID = ['[', '[a', 'a[', '[]', '[!]', '**/[a-', '{a', '*.{ts', '*.{ts,js', 'a}', 'a\\', '[z-a]*', '!{a', '{a,{b}'];
const VALID = [
  '[b]x',
  '[]]',
  '[!]]x',
  '\\[x',
  '\\{x',
  'x{,y}z',
  '{a,{b,c}}x',
  '***',
  '[a-c]x',
  '[[:alpha:]]9',
  '!x',
  '[-a]x',
  '@(a',
  'a,b',
];

describe('a glob that is not valid is an error, not "nothing found" (issue 6 › the first hour › 12)', () => {
  const outcome = async (search: Promise<unknown>): Promise<unknown> =>
    await search.then(
      () => 'searched',
      (thrown: unknown) => (isFettleError(thrown) ? thrown.code : thrown),
    );

  it.each([...INVALID.map((glob) => ({glob, expected: 'BAD_ARGS'})), ...VALID.map((glob) => ({glob, expected: 'searched'}))])(
    'grep with $glob: $expected, by both engines',
    async ({glob, expected}) => {
      const root = await scratch({'q.txt': 'hit\n'});
      const {ripgrep, builtin} = bothEngines(root);
      const query = grepQuery({root, pattern: 'hit', globs: [glob]});
      expect([await outcome(ripgrep.grep(query, never())), await outcome(builtin.grep(query, never()))]).toEqual([expected, expected]);
    },
  );
});
