import {describe, expect, it} from 'vitest';
import {joinSyntax} from '../../../src/code/extract/join-syntax.ts';
import {openParser} from '../../../src/code/extract/parser.ts';
import {parentOf, textOf, typeOf} from '../../../src/code/extract/syntax.ts';
import type {Syntax} from '../../../src/code/extract/syntax.ts';

const TEXT = '#define A 1\nenum b {\n  C,\n#define D(e) e\n  F\n};\n#define G\n';
const REST = '           \nenum b {\n  C,\n              \n  F\n};\n         \n';
const APART = '#define A 1\n        \n    \n#define D(e) e\n   \n  \n#define G\n';

/** `depth type text`, each row once, walked from the top by where each row ends. */
function rows(syntax: Syntax): string[] {
  const lines: string[] = [];
  for (let row = 0; row < syntax.count; row++) {
    let depth = 0;
    for (let at = parentOf(syntax, row); at >= 0; at = parentOf(syntax, at)) {
      expect(row).toBeLessThan(syntax.after[at] ?? 0);
      depth++;
    }
    lines.push(`${depth} ${typeOf(syntax, row)} ${JSON.stringify(textOf(syntax, row).trim().slice(0, 12))}`);
  }
  return lines;
}

describe('two parts of one text', () => {
  it('are one tree in the order of the text (issue 6, "outlines agree with ctags": directives stand anywhere in C)', async () => {
    const parser = await openParser('c');
    const [rest, apart] = [parser.parse(REST), parser.parse(APART)];
    if (rest === undefined || apart === undefined) throw new Error('Nothing was parsed.');
    expect(rows({...joinSyntax(rest, apart), text: TEXT})).toMatchInlineSnapshot(`
      [
        "0 translation_unit "enum b {\\n  C"",
        "1 preproc_def "#define A 1"",
        "2 identifier "A"",
        "2 preproc_arg "1"",
        "1 enum_specifier "enum b {\\n  C"",
        "2 type_identifier "b"",
        "2 enumerator_list "{\\n  C,\\n#defi"",
        "3 enumerator "C"",
        "4 identifier "C"",
        "3 preproc_function_def "#define D(e)"",
        "4 identifier "D"",
        "4 preproc_params "(e)"",
        "5 identifier "e"",
        "4 preproc_arg "e"",
        "3 enumerator "F"",
        "4 identifier "F"",
        "1 preproc_def "#define G"",
        "2 identifier "G"",
      ]
    `);
    expect(joinSyntax(rest, {...apart, count: 1})).toBe(rest);
  });
});
