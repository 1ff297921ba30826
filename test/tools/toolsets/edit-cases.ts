/** One edit of one file: what stood there, what is asked, what must stand there after it (`after` undefined: refused, the file as it was). */
export interface EditCase {
  readonly name: string;
  readonly before: string | Uint8Array;
  readonly oldText: string;
  readonly newText: string;
  readonly all?: boolean;
  readonly after?: string | Uint8Array;
  /** Of a refusal. */
  readonly code?: 'BAD_ARGS' | 'NOT_FOUND' | 'NOT_TEXT' | 'NOT_UNIQUE';
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const utf16le = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([...part]))));
const long = 'x'.repeat(1_000_000);

const ENCODINGS: readonly EditCase[] = [
  {name: 'UTF-16 LE with BOM', before: utf16le('a\r\nü🚀\r\n'), oldText: 'ü🚀\n', newText: 'b\nc\n', after: utf16le('a\r\nb\r\nc\r\n')},
  {name: 'UTF-16 BE with BOM', before: utf16be('a\nü\n'), oldText: 'ü', newText: '€🚀', after: utf16be('a\n€🚀\n')},
  {name: 'UTF-16 LE, odd length', before: bytes([0xff, 0xfe, 0x61, 0, 0x62]), oldText: 'a', newText: 'c', code: 'NOT_TEXT'},
  {
    name: 'UTF-16 LE with half a pair elsewhere',
    before: bytes([0xff, 0xfe, 0x00, 0xd8, 0x61, 0]),
    oldText: 'a',
    newText: 'b',
    after: bytes([0xff, 0xfe, 0x00, 0xd8, 0x62, 0]),
  },
  {name: 'UTF-16 LE, only a BOM', before: bytes([0xff, 0xfe]), oldText: 'a', newText: 'b', code: 'NOT_FOUND'},
  {name: 'UTF-32 LE', before: bytes([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), oldText: 'a', newText: 'b', code: 'NOT_TEXT'},
  {name: 'UTF-16 without BOM is binary', before: Buffer.from('abc', 'utf16le'), oldText: 'a', newText: 'b', code: 'NOT_TEXT'},
  {
    name: 'Latin-1, the byte in the edited line',
    before: latin1('caf\xe9 one\r\ntwo\r\n'),
    oldText: 'café one',
    newText: 'café ü',
    after: latin1('caf\xe9 \xfc\r\ntwo\r\n'),
  },
  {name: 'Latin-1, a character it has not', before: latin1('caf\xe9\n'), oldText: 'café', newText: '資料', code: 'BAD_ARGS'},
  {
    name: 'Windows-1252 quotation marks',
    before: latin1('\x93a\x94 \xe9\n'),
    oldText: '“a”',
    newText: '„b“ €',
    after: latin1('\x84b\x93 \x80 \xe9\n'),
  },
  {
    name: 'one stray byte in a UTF-8 file',
    before: bytes('ü\n', [0xff], '\nb\n'),
    oldText: 'b',
    newText: 'ö',
    after: bytes('ü\n', [0xff], '\nö\n'),
  },
  {
    name: 'overlong and surrogate bytes elsewhere',
    before: bytes('ü', [0xc0, 0xaf, 0xed, 0xa0, 0x80], '\nb'),
    oldText: 'b',
    newText: 'c',
    after: bytes('ü', [0xc0, 0xaf, 0xed, 0xa0, 0x80], '\nc'),
  },
  {
    name: 'a cut sequence at the end of the file',
    before: bytes('ü\nb\n', [0xe2, 0x82]),
    oldText: 'b',
    newText: 'c',
    after: bytes('ü\nc\n', [0xe2, 0x82]),
  },
  {name: 'U+FFFD that really stands there', before: 'a\uFFFDb\n', oldText: 'a\uFFFDb', newText: 'c', after: 'c\n'},
  {
    name: 'U+FFFD shown for a stray byte is not that byte',
    before: bytes('ü a', [0xff], 'b\n'),
    oldText: 'a\uFFFDb',
    newText: 'c',
    code: 'NOT_FOUND',
  },
  {name: 'NUL after 8 KB', before: `a\n${'-'.repeat(9000)}\0\n`, oldText: 'a', newText: 'b', after: `b\n${'-'.repeat(9000)}\0\n`},
  {name: 'NUL in the first 8 KB', before: 'a\0b', oldText: 'a', newText: 'b', code: 'NOT_TEXT'},
  {name: 'half a surrogate pair as new text', before: 'a\n', oldText: 'a', newText: '\ud83d', code: 'BAD_ARGS'},
];

const MARKS: readonly EditCase[] = [
  {name: 'UTF-8 BOM, first line', before: '\uFEFFa\nb\n', oldText: 'a\nb', newText: 'c', after: '\uFEFFc\n'},
  {name: 'UTF-8 BOM and CRLF', before: '\uFEFFa\r\nb\r\n', oldText: 'a\nb\n', newText: 'c\nd\ne\n', after: '\uFEFFc\r\nd\r\ne\r\n'},
  {name: 'UTF-8 BOM, everything replaced', before: '\uFEFFa', oldText: 'a', newText: '', after: '\uFEFF'},
  {name: 'BOM in old text: the mark is not text', before: '\uFEFFa\n', oldText: '\uFEFFa', newText: 'b', code: 'NOT_FOUND'},
  {name: 'a second U+FEFF is text', before: '\uFEFF\uFEFFa\n', oldText: '\uFEFFa', newText: 'b', after: '\uFEFFb\n'},
  {name: 'U+FEFF in the middle stays', before: 'a\uFEFFb\nc\n', oldText: 'c', newText: 'd', after: 'a\uFEFFb\nd\n'},
];

const ENDINGS: readonly EditCase[] = [
  {
    name: 'CRLF file, LF texts of several lines',
    before: 'a\r\nb\r\nc\r\n',
    oldText: 'a\nb\n',
    newText: 'x\ny\nz\n',
    after: 'x\r\ny\r\nz\r\nc\r\n',
  },
  {name: 'CRLF file, CRLF texts', before: 'a\r\nb\r\n', oldText: 'a\r\nb', newText: 'x\r\ny', after: 'x\r\ny\r\n'},
  {name: 'LF file, CRLF texts', before: 'a\nb\nc\n', oldText: 'a\r\nb', newText: 'x\r\ny', after: 'x\ny\nc\n'},
  {name: 'CR file', before: 'a\rb\rc', oldText: 'b\n', newText: 'x\ny\n', after: 'a\rx\ry\rc'},
  {name: 'mixed endings, one line of CRLF changed', before: 'a\nb\r\nc\n', oldText: 'b', newText: 'x\ny', after: 'a\nx\r\ny\r\nc\n'},
  {name: 'mixed endings, over the border', before: 'a\r\nb\nc\r\n', oldText: 'a\nb\nc', newText: 'a\nB\nc', after: 'a\r\nB\nc\r\n'},
  {name: 'mixed endings, untouched lines keep theirs', before: 'a\r\nb\nc\r\nd\n', oldText: 'd', newText: 'e', after: 'a\r\nb\nc\r\ne\n'},
  {name: 'replace_all with CRLF', before: 'a\r\nb\r\na\r\nb\r\n', oldText: 'a\nb\n', newText: 'c\n', all: true, after: 'c\r\nc\r\n'},
  {
    name: 'replace_all with mixed endings',
    before: 'a\r\nb\na\nb\r\n',
    oldText: 'b\n',
    newText: 'c\nd\n',
    all: true,
    after: 'a\r\nc\nd\na\nc\r\nd\r\n',
  },
  {name: 'CR CR LF elsewhere stays', before: 'a\r\r\nb\r\n', oldText: 'b', newText: 'c', after: 'a\r\r\nc\r\n'},
  {name: 'LF CR elsewhere stays', before: 'a\n\rb\n', oldText: 'b', newText: 'c', after: 'a\n\rc\n'},
  {name: 'a line break deleted', before: 'a\r\nb\r\n', oldText: 'a\nb', newText: 'ab', after: 'ab\r\n'},
  {name: 'a line inserted before CRLF', before: 'a\r\nb\r\n', oldText: 'b\r\n', newText: 'b\r\nc\r\n', after: 'a\r\nb\r\nc\r\n'},
  {name: 'no ending in the file: the one that was given', before: 'a', oldText: 'a', newText: 'a\r\nb', after: 'a\r\nb'},
  {
    name: 'U+2028, U+0085, vertical tab are not line breaks',
    before: 'a\u2028b\u0085c\vd\n',
    oldText: 'b\u0085c',
    newText: 'x',
    after: 'a\u2028x\vd\n',
  },
  {name: 'CR LF split: old text ends with CR', before: 'a\r\nb\r\n', oldText: 'a\r', newText: 'x\r', after: 'x\r\nb\r\n'},
  {
    name: 'old text with CRLF in a LF file, unchanged but for the endings',
    before: 'a\nb\n',
    oldText: 'a\nb',
    newText: 'a\r\nb',
    code: 'BAD_ARGS',
  },
];

const ENDS: readonly EditCase[] = [
  {name: 'no final newline is added', before: 'a\nb', oldText: 'b', newText: 'c', after: 'a\nc'},
  {name: 'a final newline is kept', before: 'a\nb\n', oldText: 'b', newText: 'c', after: 'a\nc\n'},
  {name: 'old text with newline at the end of a file without one', before: 'a\nb', oldText: 'b\n', newText: 'c\n', code: 'NOT_FOUND'},
  {name: 'a final newline may be added', before: 'a\nb', oldText: 'b', newText: 'b\n', after: 'a\nb\n'},
  {name: 'a final newline may be removed', before: 'a\nb\n', oldText: 'b\n', newText: 'b', after: 'a\nb'},
  {name: 'the whole file', before: 'a\n', oldText: 'a\n', newText: '', after: ''},
  {name: 'an empty file', before: '', oldText: 'a', newText: 'b', code: 'NOT_FOUND'},
  {name: 'an empty old text in an empty file', before: '', oldText: '', newText: 'b', code: 'BAD_ARGS'},
  {name: 'only blank lines', before: '\n\n\n', oldText: '\n\n\n', newText: '\n', after: '\n'},
];

const PLACES: readonly EditCase[] = [
  {name: 'overlapping matches', before: 'aaa\n', oldText: 'aa', newText: 'b', code: 'NOT_UNIQUE'},
  {name: 'overlapping matches, all', before: 'aaaaa\n', oldText: 'aa', newText: 'b', all: true, after: 'bba\n'},
  {name: 'overlapping lines', before: 'a\na\na\n', oldText: 'a\na\n', newText: 'b\n', code: 'NOT_UNIQUE'},
  {name: 'all, the new text holds the old', before: 'a a\n', oldText: 'a', newText: 'aa', all: true, after: 'aa aa\n'},
  {name: 'all, only one', before: 'a b\n', oldText: 'a', newText: 'c', all: true, after: 'c b\n'},
  {name: 'all, none', before: 'a b\n', oldText: 'x', newText: 'c', all: true, code: 'NOT_FOUND'},
  {
    name: '$&, $1, $`, backslashes are plain text',
    before: 'a\n',
    oldText: 'a',
    newText: "$& $1 $` $' $$ \\1 \\n",
    after: "$& $1 $` $' $$ \\1 \\n\n",
  },
  {name: 'regular expression characters', before: 'f(.*)[a-z]+?\n', oldText: '(.*)[a-z]+?', newText: '^$|', after: 'f^$|\n'},
  {name: 'part of a word', before: 'name rename\n', oldText: ' re', newText: ' un', after: 'name unname\n'},
  {name: 'upper and lower case differ', before: 'Name\n', oldText: 'name', newText: 'x', code: 'NOT_FOUND'},
  {name: 'a huge line', before: `${long}a${long}\n`, oldText: 'a', newText: 'b', after: `${long}b${long}\n`},
  {name: 'a huge old text', before: `${long}\nb\n`, oldText: long, newText: 'a', after: 'a\nb\n'},
  {name: 'a huge repetitive file, all', before: 'ab'.repeat(100_000), oldText: 'ab', newText: 'c', all: true, after: 'c'.repeat(100_000)},
];

const CHARACTERS: readonly EditCase[] = [
  {name: 'composed and decomposed differ', before: 'cafe\u0301\n', oldText: 'caf\u00e9', newText: 'x', code: 'NOT_FOUND'},
  {
    name: 'decomposed is found and nothing is normalized',
    before: 'e\u0301 a \u00e9\n',
    oldText: 'a',
    newText: 'b',
    after: 'e\u0301 b \u00e9\n',
  },
  {name: 'emoji with joiners', before: '👨‍👩‍👧 a\n', oldText: '👨‍👩‍👧', newText: '👍🏽', after: '👍🏽 a\n'},
  {name: 'half of an emoji cannot be written', before: '🚀\n', oldText: '\ud83d', newText: 'x', code: 'BAD_ARGS'},
  {name: 'zero-width space', before: 'a\u200bb ab\n', oldText: 'a\u200bb', newText: 'c', after: 'c ab\n'},
  {name: 'zero-width space left out', before: 'a\u200bb\n', oldText: 'ab', newText: 'c', code: 'NOT_FOUND'},
  {name: 'no-break space is no space', before: 'a\u00a0b\n', oldText: 'a b', newText: 'c', code: 'NOT_FOUND'},
  {name: 'form feed and control characters', before: 'a\f\nb\x1b[0m\n', oldText: 'a\f\n', newText: 'c\f\n', after: 'c\f\nb\x1b[0m\n'},
  {name: 'typographic quotes are not plain ones', before: '“a”\n', oldText: '"a"', newText: 'b', code: 'NOT_FOUND'},
  {name: 'right-to-left text', before: 'שלום עולם\n', oldText: 'עולם', newText: 'world', after: 'שלום world\n'},
];

const BLANKS: readonly EditCase[] = [
  {
    name: 'tabs in the file, spaces in the old text',
    before: '\tif (a) {\n\t\tb();\n\t}\n',
    oldText: '    if (a) {\n        b();',
    newText: '    if (c) {\n        d();',
    code: 'NOT_FOUND',
  },
  {name: 'spaces in the file, tabs in the old text', before: '    a();\n', oldText: '\ta();', newText: '\tb();', code: 'NOT_FOUND'},
  {
    name: 'mixed indentation is kept',
    before: '\t  a();\n  \tb();\n',
    oldText: 'a();\n  \tb',
    newText: 'c();\n  \td',
    after: '\t  c();\n  \td();\n',
  },
  {name: 'two spaces for four', before: '  a();\n', oldText: '    a();', newText: '    b();', code: 'NOT_FOUND'},
  {name: 'blanks at the end of the line', before: 'a  \nb\n', oldText: 'a\nb', newText: 'c', code: 'NOT_FOUND'},
  {name: 'blanks at the end of the line, as they are', before: 'a  \nb\t\n', oldText: 'a  \nb\t', newText: 'c ', after: 'c \n'},
  {name: 'blanks only', before: 'a    b\n', oldText: '    ', newText: '\t', after: 'a\tb\n'},
];

export const EDIT_CASES: readonly EditCase[] = [ENCODINGS, MARKS, ENDINGS, ENDS, PLACES, CHARACTERS, BLANKS].flat();
