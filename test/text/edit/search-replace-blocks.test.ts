import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {toEnding} from '../../../src/text/line-endings.ts';
import {applySearchReplaceBlocks, type BlockRules} from '../../../src/text/edit/search-replace-blocks.ts';

const STRICT: BlockRules = {fuzzy: false, onMultiple: 'refuse'};
const block = (search: string, replace: string, size = 7) =>
  `${'<'.repeat(size)} SEARCH\n${search}${'='.repeat(size)}\n${replace}${'>'.repeat(size)} REPLACE\n`;

const apply = (text: string, content: string, rules: Partial<BlockRules> = {}) =>
  applySearchReplaceBlocks(text, content, {...STRICT, ...rules});
const failure = (text: string, content: string, rules: Partial<BlockRules> = {}) => {
  try {
    return apply(text, content, rules);
  } catch (error) {
    const {code, message, hint} = toFettleError(error);
    return {code, message, hint};
  }
};

describe('vibe tool system › Search Replace Tool: blocks', () => {
  it('"Multi-block editing": one after another, later blocks see what earlier ones left', () => {
    expect(apply('one\ntwo\nthree\n', block('one\n', 'uno\ndue\n') + block('due\ntwo\n', 'tre\n'))).toEqual({
      text: 'uno\ntre\nthree\n',
      blocksApplied: 2,
      linesChanged: 2,
      warnings: [],
    });
  });

  it.each([
    ['five characters', block('a\n', 'b\n', 5)],
    ['nine characters', block('a\n', 'b\n', 9)],
    ['CRLF', toEnding(block('a\n', 'b\n'), '\r\n')],
    ['in a fence, with a file name and words around', 'Here it is:\n\nsrc/a.txt\n```text\n' + block('a\n', 'b\n') + '```\nDone.'],
    [
      'blanks after the markers',
      block('a\n', 'b\n')
        .replace(/\n/g, (end) => end)
        .replace('SEARCH', 'SEARCH  '),
    ],
  ])('reads a block: %s', (_, content) => {
    expect(apply('a\n', content).text).toBe('b\n');
  });

  it('bodies may hold lines that look like markers', () => {
    const heading = 'Title\n=======\ntext\n';
    expect(apply(heading, block('Title\n=======\n', 'New title\n=======\n')).text).toBe('New title\n=======\ntext\n');
    expect(apply('x\nTitle\n', block('x\n', 'Title\n=====\ny\n')).text).toBe('Title\n=====\ny\nTitle\n');
    expect(apply('a = b ======= c\n', block('a = b ======= c\n', 'c\n')).text).toBe('c\n');
    const inner = block('a\n', 'b\n', 5);
    expect(apply('doc\n', block('doc\n', inner, 9)).text).toBe(inner);
    expect(apply(inner, block(inner, 'doc\n', 9)).text).toBe('doc\n');
  });

  it.each([
    ['whole lines come before parts of lines', 'foobar\nfoo\n', 'foo\n', 'x\n', 'foobar\nx\n'],
    ['a part of a line, where no line is so', '  foo(1);\n', 'foo(1);\n', 'bar(2);\n', '  bar(2);\n'],
    ['an empty REPLACE takes the lines out', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['also the last one', 'a\nb', 'b\n', '', 'a\n'],
    ['an empty SEARCH is the start of the file', 'b\n', '', 'a\n', 'a\nb\n'],
    ['also of an empty file', '', '', 'a\n', 'a\n'],
    ['no final line break is added', 'a\nb', 'b\n', 'c\n', 'a\nc'],
    ['blank lines at the end that the file has not', 'a\nb\n', 'a\n\n', 'x\n\n', 'x\nb\n'],
    ['lines keep their own endings', 'a\r\nb\nc\r\n', 'a\nb\nc\n', 'a\nX\nb\nc\n', 'a\r\nX\r\nb\nc\r\n'],
    [
      'what "..." leaves out in both halves stays',
      'f() {\n  a;\n  b;\n}\ng\n',
      'f() {\n...\n}\n',
      'F() {\n...\n};\n',
      'F() {\n  a;\n  b;\n};\ng\n',
    ],
    ['also where it is nothing', 'a\nb\n', 'a\n  ...\nb\n', 'A\n  ...\nB\n', 'A\nB\n'],
    [
      'but a "..." that is in the file is itself',
      'def f():\n    ...\n',
      'def f():\n    ...\n',
      'def f():\n    pass\n',
      'def f():\n    pass\n',
    ],
    ['nothing is a pattern', 'a.c\nabc\n', 'a.c\n', '$&\\1\n', '$&\\1\nabc\n'],
  ])('%s', (_, text, search, replace, result) => {
    expect(apply(text, block(search, replace)).text).toBe(result);
  });

  it('several places: refused, or the first with a warning', () => {
    expect(failure('a\nb\na\n', block('a\n', 'x\n'))).toMatchObject({
      code: 'NOT_UNIQUE',
      message: '1 of 1 blocks could not be applied. Nothing was changed.',
      hint: expect.stringContaining('occurs 2 times (it begins on lines 1, 3)'),
    });
    expect(apply('a\nb\na\n', block('a\n', 'x\n'), {onMultiple: 'first'})).toMatchObject({
      text: 'x\nb\na\n',
      warnings: ['The SEARCH text of block 1 occurs 2 times (lines 1, 3); only the first was changed.'],
    });
  });

  it.each([
    ['no block', 'just words', 'There is no SEARCH/REPLACE block in the content.'],
    ['no end', '<<<<<<< SEARCH\na\n=======\nb\n', 'The block of line 1 has no line ">>>>>>> REPLACE".'],
    ['no divider', 'x\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n', 'The block of line 2 has no line "=======" between its halves.'],
    ['an end swallowed by the next block', `<<<<<<< SEARCH\na\n=======\nb\n${block('c\n', 'd\n')}`, 'The block of line 1 has no line'],
    ['too many', block('a\n', 'a\n').repeat(201), 'There are more than 200 blocks.'],
  ])('malformed: %s', (_, content, message) => {
    expect(failure('a\n', content)).toMatchObject({code: 'BAD_ARGS', message: expect.stringContaining(message)});
  });

  it('explains every block that failed: areas, the nearest match as a diff, tips (D5.6)', () => {
    const text = Array.from({length: 12}, (_, index) => `line ${index + 1}\n`).join('') + 'function add(a, b) {\n  return a + b;\n}\n';
    const content =
      block('line 2\n', 'LINE 2\n') + block('function add(a, b) {\n  return a - b;\n}\n', 'x\n') + block('nowhere to be found\n', 'y\n');
    expect(failure(text, content)).toMatchInlineSnapshot(`
      {
        "code": "NOT_FOUND",
        "hint": "Block 2 (line 6 of the content): the SEARCH text is not in the file.
      Its first line is on line 13:
          8: line 8
          9: line 9
          10: line 10
          11: line 11
          12: line 12
      >>> 13: function add(a, b) {
          14:   return a + b;
          15: }
          16: 
      The nearest match is lines 13-15 (97 % alike).
      --- old text
      +++ file, lines 13-15
       function add(a, b) {
      -  return a - b;
      +  return a + b;
       }
      Block 3 (line 13 of the content): the SEARCH text is not in the file.
      Nothing in the file resembles it. Read the file again and copy the text from there.
      SEARCH must match exactly: blanks, indentation, upper and lower case. Later blocks see what earlier ones have changed. Read the file again and copy the lines from there.",
        "message": "2 of 3 blocks could not be applied. Nothing was changed.",
      }
    `);
  });

  it('hostile text is explained within the time of a test: 200 blocks of which each is nearly everywhere', () => {
    const text = 'aaaa bbbb\n'.repeat(20_000);
    const content = Array.from({length: 200}, (_, index) => block(`${'aaaa bbbb\n'.repeat(40)}zzzz ${index}\n`, 'x\n')).join('');
    expect(failure(text, content)).toMatchObject({
      code: 'NOT_FOUND',
      message: '200 of 200 blocks could not be applied. Nothing was changed.',
    });
  });
});

describe('vibe tool system › Search Replace Tool: "Fuzzy matching (tolerates minor differences)", on request only', () => {
  const text = 'start\n\tfunction total(items) {\n\t\treturn items.reduce((sum, item) => sum + item.price, 0);\n\t}\nend\n';
  const near = '\tfunction total(items) {\n\t\treturn items.reduce((sum, item) => sum + item.cost, 0);\n\t}\n';
  const changed = near.replace('return', 'log();\n\t\treturn');

  it('is off unless asked for', () => {
    expect(failure(text, block(near, changed))).toMatchObject({code: 'NOT_FOUND'});
  });
  it('applies to the one place that is 90 % alike; lines that the block does not change stay as they are', () => {
    expect(apply(text, block(near, changed), {fuzzy: true})).toEqual({
      text: text.replace('return', 'log();\n\t\treturn'),
      blocksApplied: 1,
      linesChanged: 1,
      warnings: [expect.stringMatching(/^Block 1 was applied to lines 2-4, which are 9\d % like its SEARCH text\.$/)],
    });
  });
  it('gives the block the indentation of the file, deeper or less deep', () => {
    const nested = 'if x:\n    for y in z:\n        do(y)\n\n    end\n';
    expect(apply(nested, block('for y in z:\n    do(y)\n', 'for y in z:\n    if y:\n        do(y)\n'), {fuzzy: true})).toMatchObject({
      text: 'if x:\n    for y in z:\n        if y:\n            do(y)\n\n    end\n',
      warnings: ['Block 1 was applied to lines 2-3, which are its SEARCH text with another indentation.'],
    });
    expect(apply('a:\n  b\n', block('    a:\n      b\n', '    a:\n      c\n'), {fuzzy: true}).text).toBe('a:\n  c\n');
    expect(failure('  a()\nx\n    a()\n', block(' a()\n', ' b()\n'), {fuzzy: false, onMultiple: 'refuse'})).toMatchObject({
      code: 'NOT_UNIQUE',
    });
    expect(failure('  a(\nx\n    a(\n', block('a( \n', 'b(\n'), {fuzzy: true})).toMatchObject({code: 'NOT_FOUND'});
  });
  it('"..." in one half only, or parts that are not unique, are refused', () => {
    expect(failure('a\nx\nb\n', block('a\n...\nb\n', 'c\n'))).toMatchObject({code: 'NOT_FOUND'});
    expect(failure('a\nx\nb\na\n', block('a\n...\nb\n', 'A\n...\nB\n'))).toMatchObject({code: 'NOT_FOUND'});
    expect(failure('b\nx\na\n', block('a\n...\nb\n', 'A\n...\nB\n'))).toMatchObject({code: 'NOT_FOUND'});
  });
  it('refuses less than 90 %', () => {
    expect(
      failure(text, block('\tfunction sum(xs) {\n\t\treturn xs.reduce((s, x) => s + x, 0);\n\t}\n', 'x\n'), {fuzzy: true}),
    ).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('nothing in the file is at least 90 % like it'),
    });
  });
  it('refuses two places that are equally like it', () => {
    const twice = 'const alpha = compute(1, 2);\nother\nconst alpha = compute(1, 2);\n';
    expect(failure(twice, block('const alpha = compute(1, 3);\n', 'x\n'), {fuzzy: true})).toMatchObject({
      hint: expect.stringContaining('equally like it'),
    });
  });
  it('never mixes tabs and spaces', () => {
    const long = text.replace('price', 'priceWithTaxesAndShippingAndDiscounts');
    const spaced = near.replace('cost', 'priceWithTaxesAndShippingAndDiscounts').replaceAll('\t', ' ');
    expect(failure(long, block(spaced, spaced.replace('return', 'more();\n  return')), {fuzzy: true})).toMatchObject({
      hint: expect.stringContaining('indents there with tabs and the block with spaces'),
    });
  });
});

describe('blocks and bytes', () => {
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  const word = fc.oneof(fc.string({unit: 'grapheme', maxLength: 8}), fc.constantFrom('=======', '<<<<<', '\uDCFF', 'x'.repeat(5000)));
  const line = word.map((text) => text.replace(/[\r\n]/g, ''));

  it('a block and its inverse give the same text back, with all line endings', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ending), {minLength: 1, maxLength: 12}), fc.nat(11), line, (lines, at, fresh) => {
        const target = at % lines.length;
        const marked = lines.map(([text, end], index) => [`${index}:${text}`, end] as const);
        const text = marked.map((parts) => parts.join('')).join('');
        const old = marked[target]?.[0] ?? '';
        const there = apply(text, block(`${old}\n`, `new ${fresh}\n`, 9));
        expect(there.text).toBe(marked.map(([body, end], index) => (index === target ? `new ${fresh}` : body) + end).join(''));
        expect(apply(there.text, block(`new ${fresh}\n`, `${old}\n`, 9)).text).toBe(text);
      }),
    );
  });
});
