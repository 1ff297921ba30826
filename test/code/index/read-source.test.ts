import {describe, expect, it} from 'vitest';
import {readSource} from '../../../src/code/index/read-source.ts';
import {scratch} from '../../support/scratch.ts';

const LONG = `const key = '${'0f'.repeat(20_000)}';\n`;

describe('what nobody wrote by hand is no source (issue 6: the index of a repository is of its code)', () => {
  it.each<[string, string, string]>([
    ['one line', `var a=1;${'a=a+1;'.repeat(20_000)}\n`, 'minified'],
    ['lines that are broken where they get long', `${'a=a+1;'.repeat(80)}\n`.repeat(500), 'minified'],
    ['a licence above it', `// All rights.\n`.repeat(150) + 'a=a+1;'.repeat(20_000), 'minified'],
    ['a test with long texts in it', `${'  expect(found).toBe(1);\n'.repeat(100)}${LONG}`.repeat(10), 'a source'],
    ['usual lines', 'export const x = 1;\n'.repeat(5000), 'a source'],
    ['what says so', `// @generated\n${'export const x = 1;\n'.repeat(5000)}`, 'generated'],
    ['little, whatever it is', 'a=a+1;'.repeat(5000), 'a source'],
    ['a zero', 'const x = "\0";\n', 'binary'],
    ['more than anybody writes', `${' '.repeat(99)}\n`.repeat(15_001), 'large'],
  ])('%s', async (_, text, expected) => {
    const found = readSource(await scratch({'a.ts': text}), {path: 'a.ts', language: 'typescript'});
    expect(found === undefined ? 'nothing' : 'skipped' in found ? found.skipped : 'a source').toBe(expected);
  });
});
