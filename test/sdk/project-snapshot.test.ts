import {appendFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettlePaths} from '../../src/config/paths.ts';
import {
  changesLine,
  projectChanges,
  readProjectSnapshot,
  readSnapshotText,
  snapshotText,
  type ProjectSnapshot,
} from '../../src/sdk/trust/project-snapshot.ts';
import {readWholeProject, storeTrust} from '../../src/sdk/trust/trust-project.ts';
import {scratch} from '../support/scratch.ts';

const FILES = {
  'work/AGENTS.md': 'a',
  'work/sub/AGENTS.md': 'deep',
  'work/.fettle/hooks.json': '{}',
  'work/src/main.ts': 'code',
  'home/x': '',
};

async function project(files: Readonly<Record<string, string>> = FILES) {
  const root = await scratch(files);
  const request = {cwd: join(root, 'work'), home: join(root, 'home'), env: {FETTLE_HOME: join(root, 'fettle')}};
  return {
    work: request.cwd,
    read: async (): Promise<ProjectSnapshot> => await readProjectSnapshot(request),
    trust: async (): Promise<void> => await storeTrust(await readWholeProject(request), fettlePaths(request)),
  };
}

describe('snapshot of a project', () => {
  it('is of everything that would be run or loaded, of no other file, and the same for the same content', async () => {
    const {work, read} = await project();
    const first = await read();
    await writeFile(join(work, 'src/main.ts'), 'other code');
    expect(await read()).toEqual(first);
    expect([first.isTrusted, first.parts.map(({kind, path}) => `${kind} ${path}`)]).toEqual([
      false,
      ['hook .fettle/hooks.json', 'instructions AGENTS.md', 'instructions sub/AGENTS.md'],
    ]);
    expect(first.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('says what is new, changed and gone', async () => {
    const {work, read} = await project();
    const first = await read();
    await appendFile(join(work, 'sub/AGENTS.md'), '!');
    await writeFile(join(work, '.mcp.json'), '{"mcpServers": {}}');
    await rm(join(work, '.fettle/hooks.json'));
    const second = await read();
    expect([second.digest === first.digest, projectChanges(first, second)]).toEqual([
      false,
      ['sub/AGENTS.md is changed', '.mcp.json is new', '.fettle/hooks.json is gone'],
    ]);
  });

  it('whether the project is trusted is a part of it', async () => {
    const {read, trust} = await project();
    const first = await read();
    await trust();
    const second = await read();
    expect([first.digest === second.digest, projectChanges(first, second), projectChanges(second, first)]).toEqual([
      false,
      ['the project is trusted now'],
      ['the project is not trusted any more'],
    ]);
  });

  it('comes back from its text; what is none is refused', async () => {
    const {read} = await project();
    const first = await read();
    expect(readSnapshotText(snapshotText(first))).toEqual(first);
    expect(['', '{}', '[]', '{"digest":"x","isTrusted":true,"parts":[{}]}'].map(readSnapshotText)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('many changes are one line', () => {
    expect([changesLine(['a is new']), changesLine(['a', 'b', 'c', 'd', 'e']), changesLine(['a', 'b', 'c', 'd'])]).toEqual([
      'a is new',
      'a, b, c, 2 further changes',
      'a, b, c, 1 further change',
    ]);
  });
});
