import {describe, expect, it} from 'vitest';
import {listFolderOperation, type ListFolderArgs, type ListFolderResult} from '../../../../src/tools/operations/fs/list-folder.ts';
import {realWorkspace} from '../../support/real-context.ts';

const DEFAULTS: ListFolderArgs = {
  path: '.',
  depth: 3,
  order: 'path',
  filesOnly: false,
  hidden: false,
  details: false,
  page: 1,
  limit: 100,
  excludeFile: '.excludes',
} as const;

async function listed(files: Record<string, string>, args: Partial<ListFolderArgs> = {}): Promise<readonly string[]> {
  const work = await realWorkspace(files);
  const {entries} = (await work.outcome(listFolderOperation, {...DEFAULTS, ...args})) as ListFolderResult;
  return entries.map(({path, kind}) => `${kind} ${path}`);
}

describe('a file with more lines in the syntax of .gitignore', () => {
  it('a line with a slash at its end excludes folders of that name, and no file', async () => {
    const files = {'.excludes': 'logs/\n', 'logs/a': '', 'src/logs': '', 'src/b.ts': ''};
    expect(await listed(files)).toEqual(['directory src', 'file src/b.ts', 'file src/logs']);
  });

  it('its lines are relative to the workspace, whichever folder is listed', async () => {
    const files = {'.excludes': '/src/gen/\n', 'src/gen/a': '', 'src/sub/gen/b': ''};
    expect(await listed(files, {path: 'src'})).toEqual(['directory src/sub', 'directory src/sub/gen', 'file src/sub/gen/b']);
  });
});

describe('paths of entries', () => {
  it('have one slash behind the folder, also where it ends with one', async () => {
    const paths = await listed({}, {path: '/', depth: 1, limit: 3});
    expect(paths.filter((path) => !/^\w+ \/[^/]+$/.test(path))).toEqual([]);
    expect(paths).toHaveLength(3);
  });
});
