import {spawnSync} from 'node:child_process';
import {mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createSearchEngine} from '../../src/search/create-engine.ts';
import {listFolder} from '../../src/search/list-folder.ts';
import {isTemporaryName, temporaryName} from '../../src/workspace/temporary-file.ts';
import {writeFileAtomic} from '../../src/workspace/write-file.ts';
import {scratch} from '../support/scratch.ts';

const never = (): AbortSignal => new AbortController().signal;
/** A process that has been and is no more. */
const deadPid = (): number => spawnSync('true').pid;

describe('files of writes that were killed', () => {
  it('the next write in their folder removes them, and no others', async () => {
    const root = await scratch();
    const leftover = `.fettle-${deadPid()}-0123456789abcdef.tmp`;
    const living = [`.fettle-1-0123456789abcdef.tmp`, temporaryName(), '.fettle-notes.tmp', `x.fettle-${deadPid()}-0123456789abcdef.tmp`];
    for (const name of [leftover, ...living]) await writeFile(join(root, name), 'x');
    await mkdir(join(root, `.fettle-${deadPid()}-fedcba9876543210.tmp`));
    await writeFileAtomic(join(root, 'f'), Buffer.from('x'));
    const left = await readdir(root);
    expect(left).not.toContain(leftover);
    expect(left).toEqual(expect.arrayContaining(['f', ...living]));
  });

  it('are never listed and never searched, by neither engine', async () => {
    const root = await scratch({[temporaryName()]: 'word', '.fettle-notes.tmp': 'word'});
    const rules = {root, hidden: true, ignoreFiles: true, requireGit: false};
    const query = {pattern: 'word', caseInsensitive: false, multiline: false, globs: [], maxMatches: 9, maxLineChars: 99, contextLines: 0};
    for (const engine of [createSearchEngine(), createSearchEngine({locate: () => undefined})]) {
      expect((await engine.files({...rules, order: 'path', limit: 9}, never())).paths).toEqual(['.fettle-notes.tmp']);
      const {matches} = await engine.grep({...rules, ...query, timeoutMs: 9000}, never());
      expect(matches.map(({path}) => path)).toEqual(['.fettle-notes.tmp']);
    }
    const {entries} = await listFolder(root, {root, ignoreFiles: true, hidden: true, limit: 9}, never());
    expect(entries.map(({name}) => name)).toEqual(['.fettle-notes.tmp']);
  });

  it('a name says so itself', () => {
    const names = [temporaryName(), '.fettle-1-0123456789abcdef.tmp', '.fettle-1-0123456789abcde.tmp', '.fettle-x-0123456789abcdef.tmp'];
    expect(names.map(isTemporaryName)).toEqual([true, true, false, false]);
  });
});
