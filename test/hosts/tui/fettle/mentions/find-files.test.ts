import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createFindFiles} from '../../../../../src/hosts/tui/fettle/mentions/find-files.ts';
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
});
