import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {pastedPicturePaths} from '../../../../../src/hosts/tui/model/pictures/pasted-paths.ts';

describe('pastedPicturePaths', () => {
  it.each<[how: string, pasted: string, paths: readonly string[] | undefined]>([
    ['as it is', '/tmp/a.png', ['/tmp/a.png']],
    ['with blanks around it', ' /tmp/a.png \n', ['/tmp/a.png']],
    ['capital letters', '/tmp/A.JPEG', ['/tmp/A.JPEG']],
    ['below home', '~/a.webp', ['~/a.webp']],
    ['single quotes', "'/tmp/my a.png'", ['/tmp/my a.png']],
    ['a single quote within single quotes', String.raw`'/tmp/it'\''s.png'`, ["/tmp/it's.png"]],
    ['double quotes', '"/tmp/my a.png"', ['/tmp/my a.png']],
    ['escapes within double quotes', String.raw`"/tmp/\"a\"\$\n.png"`, [String.raw`/tmp/"a"$\n.png`]],
    ['backslashes', String.raw`/tmp/my\ a\(1\).png`, ['/tmp/my a(1).png']],
    ['an address', 'file:///tmp/my%20%C3%A4.png', ['/tmp/my ä.png']],
    ['an address of this machine', 'file://localhost/tmp/a.gif', ['/tmp/a.gif']],
    ['several words', `/tmp/a.png '/tmp/b c.jpg' file:///d.gif`, ['/tmp/a.png', '/tmp/b c.jpg', '/d.gif']],
    ['several lines', '/tmp/a b.png\n\n/tmp/c.png', ['/tmp/a b.png', '/tmp/c.png']],
    ['bare, with blanks', '/tmp/my a.png', ['/tmp/my a.png']],
    ['bare, with a quote', "/tmp/it's.png", ["/tmp/it's.png"]],
    ['nothing', '', undefined],
    ['a sentence with a path', 'see /tmp/a.png', undefined],
    ['a path and a word', '/tmp/a.png please', undefined],
    ['another file', '/tmp/a.txt', undefined],
    ['a picture and another file', '/tmp/a.png /tmp/a.txt', undefined],
    ['a relative path', 'tmp/a.png', undefined],
    ['an address of another machine', 'file://host/tmp/a.png', undefined],
    ['an address of the web', 'https://host/a.png', undefined],
    ['bytes that are not UTF-8', 'file:///tmp/%ff.png', undefined],
    ['a control character', '/tmp/a\u001b[2J.png', undefined],
    ['an encoded control character', 'file:///tmp/%1b%5b2J.png', undefined],
    ['an encoded NUL', 'file:///tmp/a%00.png', undefined],
    ['an encoded line end', 'file:///tmp/a%0a.png', undefined],
    ['more than ten', Array.from({length: 11}, (_, index) => `/tmp/${index}.png`).join(' '), undefined],
    ['a paste that is folded', `/tmp/${'a'.repeat(4000)}.png`, undefined],
  ])('%s: %j', (_, pasted, paths) => {
    expect(pastedPicturePaths(pasted)).toEqual(paths);
  });

  it('reads back every path that is written in single quotes', () => {
    const name = fc.string({unit: 'grapheme', minLength: 1, maxLength: 20}).filter((text) => !/[\p{Cc}/]/u.test(text));
    fc.assert(
      fc.property(fc.array(name, {minLength: 1, maxLength: 4}), (names) => {
        const paths = names.map((one) => `/tmp/${one}.png`);
        const written = paths.map((path) => `'${path.replaceAll("'", String.raw`'\''`)}'`).join(' ');
        expect(pastedPicturePaths(written)).toEqual(paths);
      }),
    );
  });
});
