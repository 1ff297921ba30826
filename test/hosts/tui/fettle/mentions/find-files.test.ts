import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createFindFiles} from '../../../../../src/hosts/tui/fettle/mentions/find-files.ts';
import {openedBelow} from '../../../../support/opened-files.ts';
import {scratch} from '../../../../support/scratch.ts';
import {never} from '../session-support.ts';

describe('files behind @', () => {
  it('files and folders, without what is ignored or hidden; the list is read again when it is old', async () => {
    const root = await scratch({'src/a/one.ts': '', 'src/two.ts': '', 'dist/one.js': '', '.ignore': 'dist\n', '.hidden/one.ts': ''});
    let now = 0;
    const {find, count} = createFindFiles(root, () => now);
    const values = async (query: string): Promise<string[]> => (await find(query, never)).map(({value}) => value);
    expect(count()).toBeUndefined();
    expect([await values('one'), await values('src'), await values('a/')]).toEqual([
      ['src/a/one.ts'],
      ['src/', 'src/a/', 'src/two.ts', 'src/a/one.ts'],
      ['src/a/', 'src/a/one.ts'],
    ]);
    expect(count()).toBe(4);
    writeFileSync(join(root, 'one.md'), '');
    expect(await values('one')).toEqual(['src/a/one.ts']);
    now = 6000;
    expect(await values('one')).toEqual(['one.md', 'src/a/one.ts']);
  });

  it('where listing takes long no key waits for a newer list, and one is made after twenty times as long at the earliest', async () => {
    const root = await scratch({'one.ts': ''});
    let [now, step] = [0, 1000];
    const {find} = createFindFiles(root, () => (now += step));
    const values = async (query: string): Promise<string[]> => (await find(query, never)).map(({value}) => value);
    const opened = openedBelow(root);
    expect(await values('one')).toEqual(['one.ts']);
    writeFileSync(join(root, 'one.md'), '');
    step = 0;
    now += 18_000;
    expect([await values('on'), opened]).toEqual([['one.ts'], ['']]);
    now += 2000;
    expect(await values('o')).toEqual(['one.ts']);
    while ((await values('o')).length < 2);
    expect(opened).toEqual(['', '']);
  });

  it('a longer query looks only at what its beginning fitted; another one at all', async () => {
    const {find} = createFindFiles(await scratch({'ab.ts': '', 'ac.ts': '', 'b/x.md': ''}), () => 0);
    const values = async (query: string): Promise<string[]> => (await find(query, never)).map(({value}) => value);
    expect([await values('a'), await values('ab'), await values('b'), await values('ba'), await values('')]).toEqual([
      ['ab.ts', 'ac.ts'],
      ['ab.ts'],
      ['b/', 'ab.ts', 'b/x.md'],
      [],
      ['ab.ts', 'ac.ts', 'b/', 'b/x.md'],
    ]);
  });
});
