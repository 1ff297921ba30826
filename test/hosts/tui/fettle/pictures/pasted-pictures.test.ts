import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {pastedPictures} from '../../../../../src/hosts/tui/fettle/pictures/pasted-pictures.ts';
import {pictureType} from '../../../../../src/hosts/tui/fettle/pictures/picture-type.ts';
import {scratch} from '../../../../support/scratch.ts';
import {never} from '../session-support.ts';
import {PICTURES} from './picture-files.ts';

async function pictures() {
  const [root, home, state] = [await scratch({'shots/.keep': ''}), await scratch({}), await scratch({})];
  writeFileSync(join(root, 'shots/a b.png'), PICTURES.png);
  writeFileSync(join(home, 'one.JPG'), PICTURES.jpg);
  writeFileSync(join(home, 'two.png'), PICTURES.webp);
  const folder = join(state, 'session/pictures');
  const paste = async (...paths: readonly string[]) => await pastedPictures(paths, {root, home, folder}, never);
  return {root, home, folder, paste};
}

describe('pictureType', () => {
  it.each([
    ...Object.entries(PICTURES),
    ['no type', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['no type', Buffer.from('RIFF\x04\x00\x00\x00WAVE', 'latin1')],
    ['no type', Buffer.from('\x89PNG', 'latin1')],
    ['no type', Buffer.alloc(0)],
  ])('%s', (type, bytes) => {
    expect(pictureType(bytes) ?? 'no type').toBe(type);
  });
});

describe('pictures whose paths are pasted', () => {
  it('in the workspace: relative; outside: copied, for the person alone, with the ending of what they are', async () => {
    const {root, home, folder, paste} = await pictures();
    expect(await paste(join(root, 'shots/a b.png'), '~/one.JPG', join(home, 'two.png'))).toEqual([
      'shots/a b.png',
      join(folder, 'picture-1.jpg'),
      join(folder, 'picture-1.webp'),
    ]);
    const [copy, mode, folderMode] = [
      readFileSync(join(folder, 'picture-1.jpg')),
      statSync(join(folder, 'picture-1.jpg')).mode,
      statSync(folder).mode,
    ];
    expect([copy.equals(PICTURES.jpg), mode & 0o777, folderMode & 0o777]).toEqual([true, 0o600, 0o700]);
    expect(await paste(join(home, 'one.JPG'))).toEqual([join(folder, 'picture-2.jpg')]);
  });

  it('a link out of the workspace is copied; a link that lies where a copy would go is not followed', async () => {
    const {root, home, folder, paste} = await pictures();
    symlinkSync(join(home, 'two.png'), join(root, 'link.png'));
    expect(await paste(join(root, 'link.png'))).toEqual([join(folder, 'picture-1.webp')]);
    symlinkSync(join(home, 'victim'), join(folder, 'picture-2.webp'));
    expect(await paste(join(root, 'link.png'))).toEqual([join(folder, 'picture-3.webp')]);
    expect(readdirSync(home).toSorted()).toEqual(['one.JPG', 'two.png']);
  });

  it('a path that is not there is just a text: nothing is copied', async () => {
    const {home, folder, paste} = await pictures();
    expect(await paste(join(home, 'one.JPG'), '/nowhere/a.png')).toBeUndefined();
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  it('what is not a picture is refused with its name, and nothing is copied', async () => {
    const {home, folder, paste} = await pictures();
    const [text, huge, pipe] = ['text.png', 'huge.png', 'pipe.png'].map((name) => join(home, name)) as [string, string, string];
    writeFileSync(text, 'secret text');
    writeFileSync(huge, PICTURES.png);
    truncateSync(huge, 10_000_001);
    execFileSync('mkfifo', [pipe]);
    const refusals = [text, huge, pipe, home].map(
      async (path) => await paste('~/one.JPG', path).catch(({code, message}) => [code, message]),
    );
    expect(await Promise.all(refusals)).toEqual([
      ['NOT_A_FILE', `${text} is not a PNG, JPEG, GIF or WebP picture: the text stays as it was pasted.`],
      ['TOO_LARGE', `${huge} is larger than 10 MB: the text stays as it was pasted.`],
      ['NOT_A_FILE', `${pipe} is not a regular file: the text stays as it was pasted.`],
      ['NOT_A_FILE', `${home} is not a regular file: the text stays as it was pasted.`],
    ]);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });
});
