import {describe, expect, it} from 'vitest';
import {moduleBeginning} from '../../../src/code/index/module-beginning.ts';

describe('where the code of a module begins (issue: definitions agree with the compiler)', () => {
  it.each([
    ['at once', 'const a = 1;\n', 0, 0],
    ['behind comments, blanks and #!', '#!/usr/bin/env node\n// a\n\n/* b * / **/ import x;\n', 3, 13],
    ['a comment without an end is no code', '/* a', 0, 0],
    ['nothing but comments', '// a\n', 0, 0],
  ])('%s', (_, text, line, character) => {
    expect(moduleBeginning(text)).toEqual({line, character});
  });
});
