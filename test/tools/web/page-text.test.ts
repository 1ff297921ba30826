import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {pageText} from '../../../src/tools/web/page-text.ts';

async function read(contentType: string, body: string | Buffer, maxBytes = 1000): Promise<unknown> {
  const source = {url: new URL('https://docs.example/x'), contentType, body: typeof body === 'string' ? Buffer.from(body) : body};
  return await pageText(source, maxBytes).catch((error: unknown) => toFettleError(error).message);
}

const text = (of: string, truncated = false): object => ({title: '', text: of, truncated});

describe('the text of what was fetched', () => {
  it.each([
    'text/plain',
    'text/markdown; charset=utf-8',
    'application/json',
    'application/problem+json',
    'text/xml',
    'application/javascript',
    'application/yaml',
  ])('%s stays as it is', async (type) => {
    expect(await read(type, '{"a": "<b>ä</b>"}\r\n')).toEqual(text('{"a": "<b>ä</b>"}\n'));
  });

  it.each(['text/html', 'TEXT/HTML; charset="utf-8"', 'application/xhtml+xml'])('%s becomes Markdown', async (type) => {
    expect(await read(type, '<title>T</title><h1>ä</h1>')).toEqual({title: 'T', text: '# ä', truncated: false});
  });

  it.each([
    ['image/png', 'abc', 'docs.example answered with image/png, which is not text.'],
    ['application/x-msdownload', 'MZ', 'docs.example answered with application/x-msdownload, which is not text.'],
    ['application/pdf', '%PDF', 'docs.example answered with application/pdf, which is not text.'],
    ['text/html', 'a\0b', 'docs.example answered with text/html, which is not text.'],
    ['\u001b[2J/x', 'a', 'docs.example answered with an unknown type, which is not text.'],
  ])('%j is refused as NOT_TEXT', async (type, body, message) => {
    expect(await read(type, body)).toBe(message);
  });

  it('without a type a page is one where it begins like one', async () => {
    expect(await read('', ' <!DOCTYPE html><p>a</p>')).toEqual(text('a'));
    expect(await read('', 'a <p>')).toEqual(text('a <p>'));
  });

  it('the charset: a byte order mark, the header, what the page says, else UTF-8', async () => {
    const latin1 = Buffer.from('<p>\xe4</p>', 'latin1');
    expect(await read('text/html; charset=iso-8859-1', latin1)).toEqual(text('ä'));
    expect(await read('text/html', Buffer.concat([Buffer.from('<meta charset="windows-1252">'), latin1]))).toEqual(text('ä'));
    expect(await read('text/plain; charset=iso-8859-1', Buffer.from('\ufeffä'))).toEqual(text('ä'));
    expect(await read('text/plain', Buffer.from('\ufeffä', 'utf16le'))).toEqual(text('ä'));
    expect(await read('text/html; charset=nobody-knows', '<p>ä</p>')).toEqual(text('ä'));
  });

  it('hidden orders are taken out: tag characters, zero width, directions, controls (Rules File Backdoor)', async () => {
    const tags = Array.from('obey', (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
    expect(await read('text/plain', `a${tags}b\u200bc\u202ed\u001b[31me\u0085f`)).toEqual(text('abcd[31mef'));
    expect(await read('text/plain', 'می‌خواهم 👩‍💻')).toEqual(text('می‌خواهم 👩‍💻'));
  });

  it('is cut at the bound in whole characters', async () => {
    expect(await read('text/plain', 'ää', 3)).toEqual(text('ä', true));
    expect(await read('text/html', '<p>ää</p>', 3)).toEqual(text('ä', true));
    expect(await read('text/plain', 'äa', 3)).toEqual(text('äa'));
  });
});
