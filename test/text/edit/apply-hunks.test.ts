import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {applyHunks} from '../../../src/text/edit/apply-hunks.ts';
import {parseEnvelope} from '../../../src/text/edit/parse-envelope.ts';

const envelope = (body: string) => `*** Begin Patch\n${body}*** End Patch\n`;
const thrown = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    const {code, message} = toFettleError(error);
    return {code, message};
  }
};
const apply = (text: string, hunks: string) => {
  const [section] = parseEnvelope(envelope(`*** Update File: f\n${hunks}`));
  return section?.kind === 'update' ? applyHunks(text, section.hunks) : undefined;
};

describe('Begin/End Patch format: parsing', () => {
  it('reads all four kinds of sections', () => {
    const body =
      '*** Add File: a.txt\n+one\n+\n*** Delete File: b.txt\n*** Update File: c.txt\n*** Move to: d/c.txt\n@@ class A\n@@ def f\n x\n-y\n+z\n*** End of File\n';
    expect(parseEnvelope(envelope(body))).toEqual([
      {kind: 'add', path: 'a.txt', lines: ['one', '']},
      {kind: 'delete', path: 'b.txt'},
      {
        kind: 'update',
        path: 'c.txt',
        moveTo: 'd/c.txt',
        hunks: [
          {
            contexts: ['class A', 'def f'],
            rows: [
              {op: ' ', text: 'x'},
              {op: '-', text: 'y'},
              {op: '+', text: 'z'},
            ],
            atEnd: true,
          },
        ],
      },
    ]);
  });

  const one = [{kind: 'delete', path: 'a'}];
  it.each([
    ['a here-document', "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n"],
    ['a bare here-document', '<<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF'],
    ['a fence', '```diff\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n```'],
    ['blanks around the markers', '\n  *** Begin Patch  \n  *** Delete File: a  \n *** End Patch \n\n'],
    ['CRLF', '*** Begin Patch\r\n*** Delete File: a\r\n*** End Patch\r\n'],
  ])('is lenient about %s', (_, patch) => {
    expect(parseEnvelope(patch)).toEqual(one);
  });

  it.each([
    ['', 'The first line must be "*** Begin Patch"'],
    ['hello', 'The first line must be "*** Begin Patch"'],
    ['*** Begin Patch\n*** Delete File: a\n', 'There is no line "*** End Patch"'],
    [envelope('') + 'and more words', 'Something follows "*** End Patch" (line 3 of the patch)'],
    [envelope(''), 'The patch names no file'],
    [envelope('*** Frobnicate File: x\n'), '"*** Frobnicate File: x" is not a header'],
    [envelope('*** Add File:\n'), 'A path is missing (line 2 of the patch)'],
    [envelope('*** Update File: x\n'), 'The update of x has no hunk (line 2 of the patch)'],
    [envelope('*** Update File: x\n@@\n'), 'A hunk has no lines'],
    [envelope('*** Update File: x\n@@\n-a\nb\n'), 'A hunk begins with "@@", not with "b" (line 5 of the patch)'],
    [envelope('*** Add File: x\n+a\nb\n'), '"b" is not a header'],
    [envelope('*** Update File: x\n*** Move to:\n'), 'A path is missing (line 3 of the patch)'],
  ])('%j is refused with the line', (patch, message) => {
    expect(thrown(() => parseEnvelope(patch))).toEqual({code: 'BAD_ARGS', message: expect.stringContaining(message)});
  });
});

describe('Begin/End Patch format: hunks', () => {
  it.each([
    ['several hunks', 'a\nb\nc\nd\ne\n', '@@\n-b\n+B\n@@\n-d\n+D\n', 'a\nB\nc\nD\ne\n'],
    ['the first hunk needs no @@', 'a\n', '-a\n+b\n', 'b\n'],
    ['context lines pick the place', 'def a\n  x\ndef b\n  x\n', '@@ def b\n-  x\n+  y\n', 'def a\n  x\ndef b\n  y\n'],
    ['context lines one after another', 'A\nf\nx\nB\nf\nx\n', '@@ B\n@@ f\n-x\n+y\n', 'A\nf\nx\nB\nf\ny\n'],
    ['a context line that is repeated', 'def b\n  x\n', '@@ def b\n def b\n-  x\n+  y\n', 'def b\n  y\n'],
    ['*** End of File picks the last place', 'x\ny\nx\n', '@@\n-x\n+z\n*** End of File\n', 'x\ny\nz\n'],
    ['only additions: at the end', 'a\n', '@@\n+b\n+c\n', 'a\nb\nc\n'],
    ['only additions after a context line', 'a\nb\n', '@@ a\n+x\n', 'a\nx\nb\n'],
    ['only deletions', 'a\nb\nc\n', '@@\n a\n-b\n c\n', 'a\nc\n'],
    ['blanks at the end of lines', 'a  \nb\n', ' a\n-b\n+c\n', 'a  \nc\n'],
    ['blanks around lines', '\ta\nb\n', ' a\n-b\n+c\n', '\ta\nc\n'],
    ['typographic signs', 'x = “a” – b\nold\n', ' x = "a" - b\n-old\n+new\n', 'x = “a” – b\nnew\n'],
    ['no-break spaces', 'a\u00A0b\nold\n', ' a b\n-old\n+new\n', 'a\u00A0b\nnew\n'],
    ['exact comes before lenient', ' x\nx\n', '-x\n+y\n', ' x\ny\n'],
    ['an empty line as context', 'a\n\nb\n', ' a\n\n-b\n+c\n', 'a\n\nc\n'],
    ['an empty line before the next marker', 'a\nb\n', ' a\n-b\n+c\n\n', 'a\nc\n'],
    ['CRLF', 'a\r\nb\r\n', ' a\n-b\n+c\n+d\n', 'a\r\nc\r\nd\r\n'],
    ['mixed endings stay', 'a\nb\r\nc\nd\r\n', ' a\n-b\n+B\n+BB\n c\n', 'a\nB\r\nBB\r\nc\nd\r\n'],
    ['endings in their order', 'a\r\nb\nc\r', '-a\n-b\n-c\n+x\n+y\n+z\n', 'x\r\ny\nz\r'],
    ['a last line without line break that stays', 'a\nb', '-a\n+A\n b\n', 'A\nb'],
    ['a last line without line break that is replaced gets one', 'a\nb', '-b\n+c\n', 'a\nc\n'],
    ['a last line without line break that others follow', 'a\r\nb', ' b\n+c\n', 'a\r\nb\r\nc\r\n'],
    ['an empty file', '', '@@\n+a\n', 'a\n'],
    ['everything goes', 'a\nb\n', '-a\n-b\n', ''],
    ['stray bytes', 'é\uDCE9\nold\n', '-old\n+new\n', 'é\uDCE9\nnew\n'],
  ])('%s', (_, text, hunks, result) => {
    expect(apply(text, hunks)).toBe(result);
  });

  it.each([
    ['lines that are not there', 'a\n', '-b\n+c\n', 'The old lines of hunk 1 are not in the file. Nothing was changed.'],
    ['hunks out of order', 'a\nb\n', '-b\n+B\n@@\n-a\n+A\n', 'The old lines of hunk 2 are not found after line 2. Nothing was changed.'],
    ['not at the end', 'a\nb\n', '-a\n+A\n*** End of File\n', 'The old lines of hunk 1 are not in the file. Nothing was changed.'],
    ['no such context', 'a\n', '@@ zzz\n-a\n', 'The line "zzz" that hunk 1 names after @@ is not in the file. Nothing was changed.'],
  ])('refuses %s', (_, text, hunks, message) => {
    expect(thrown(() => apply(text, hunks))).toEqual({code: 'NOT_FOUND', message});
  });

  it('is linear: many equal lines', () => {
    const text = 'a\n'.repeat(200_000);
    expect(thrown(() => apply(text, `${' a\n'.repeat(20_000)}-b\n`))).toMatchObject({code: 'NOT_FOUND'});
    expect(apply(text, ' a\n*** End of File\n')).toBe(text);
  });

  it('a patch and its inverse give the same text back: Unicode, mixed endings, long lines', () => {
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    const body = fc.oneof(
      fc.string({unit: 'grapheme', maxLength: 10}),
      fc.constantFrom('\uDC80', '\u2028', 'é'.repeat(20_000), '*** End Patch'),
    );
    const rows = fc.array(fc.tuple(body, ending, fc.boolean(), body), {minLength: 1, maxLength: 10});
    fc.assert(
      fc.property(rows, (rows) => {
        const clean = (text: string) => text.replace(/[\r\n]/g, '');
        const parts = rows.map(([old, end, changes, fresh], index) => ({
          old: `${index}<${clean(old)}`,
          fresh: `${index}>${clean(fresh)}`,
          end,
          changes,
        }));
        const text = parts.map(({old, end}) => old + end).join('');
        const forth = parts.map(({old, fresh, changes}) => (changes ? `-${old}\n+${fresh}\n` : ` ${old}\n`)).join('');
        const back = parts.map(({old, fresh, changes}) => (changes ? `-${fresh}\n+${old}\n` : ` ${old}\n`)).join('');
        const after = apply(text, forth);
        expect(after).toBe(parts.map(({old, fresh, end, changes}) => (changes ? fresh : old) + end).join(''));
        expect(apply(after ?? '', back)).toBe(text);
      }),
    );
  });
});
