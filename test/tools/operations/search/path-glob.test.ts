import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {pathGlob} from '../../../../src/tools/operations/search/path-glob.ts';

const PATHS = ['a.rs', 'src/a.rs', 'src/deep/b.RS', 'src/.c.rs', 'other/src.txt', 'src2/x.rs'];
const found = (pattern: string, caseSensitive = true): string[] => PATHS.filter(pathGlob(pattern, {caseSensitive}));

describe('zblade tool calls › find_files_glob: patterns', () => {
  it.each([
    ['*.rs', ['a.rs', 'src/a.rs', 'src/.c.rs', 'src2/x.rs']],
    ['src*.rs', ['src/a.rs', 'src/.c.rs', 'src2/x.rs']],
    ['**/a.rs', ['a.rs', 'src/a.rs']],
    ['src/**/*.rs', ['src/a.rs', 'src/.c.rs']],
    ['/src/?.rs', ['src/a.rs']],
    ['src?a.rs', ['src/a.rs']],
    ['src/[ab].rs', ['src/a.rs']],
    ['src/[!b].rs', ['src/a.rs']],
    ['src/[x-z].rs', []],
    ['{a,src2/x}.rs', ['a.rs', 'src2/x.rs']],
    ['src/[a.rs', []],
    ['', []],
  ] as const)('%s', (pattern, paths) => {
    expect(found(pattern)).toEqual(paths);
  });
  it('"case_sensitive"', () => {
    expect(found('SRC/**/*.rs', false)).toEqual(['src/a.rs', 'src/deep/b.RS', 'src/.c.rs']);
  });
  it('means the same as a regular expression', () => {
    const piece = fc.constantFrom('*', '?', '**/', 'a', 'b', '/', '.');
    const asRegex = (pattern: string): RegExp =>
      new RegExp(
        `^${pattern.replace(/^\//, '').replaceAll(/\*\*\/|\*+|\?|\./g, (part) => ({'**/': '(?:[^]*/)?', '?': '[^]', '.': String.raw`\.`})[part] ?? '[^]*')}$`,
      );
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 6}), fc.stringMatching(/^[ab/.]{0,8}$/), (pieces, path) => {
        const pattern = pieces.join('');
        expect(pathGlob(pattern, {caseSensitive: true})(path)).toBe(asRegex(pattern).test(path));
      }),
    );
  });
  it('takes no longer for a hostile pattern', () => {
    expect(pathGlob(`${'*a'.repeat(200)}b`, {caseSensitive: true})('a'.repeat(2000))).toBe(false);
  });
});
