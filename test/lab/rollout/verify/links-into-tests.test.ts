import {join} from 'node:path';
import {mkdir, symlink} from 'node:fs/promises';
import {expect, it} from 'vitest';
import type {ScratchPlace} from '../../../../src/lab/rollout/place/scratch-place.ts';
import {readLoadedFiles} from '../../../../src/lab/rollout/tree/loaded-files.ts';
import {linksIntoTests} from '../../../../src/lab/rollout/verify/links-into-tests.ts';
import type {SuiteTask} from '../../../../src/lab/suite/task.ts';
import {scratch} from '../../../support/scratch.ts';
import {step} from '../runs/support.ts';

/** Those of the links that would lead to a hidden test. */
async function found(kind: 'folder' | 'root', testsAt: string, links: readonly string[]): Promise<readonly string[]> {
  const folder = await scratch({'tests/expected.txt': '42\n'});
  const [tree, work] = [join(folder, 'tree'), join(folder, 'tree', kind === 'root' ? '' : 'w')];
  await mkdir(join(work, 'sub'), {recursive: true});
  for (const [at, target] of links.entries()) await symlink(target, join(work, `${at}`));
  const place = {tree, work} as ScratchPlace;
  const task = {place: {kind}} as SuiteTask;
  const after = await readLoadedFiles(place);
  const paths = linksIntoTests({request: {task}, place}, step({tests: [join(folder, 'tests')], testsAt}), {before: new Map(), after});
  return paths.map((path) => links[Number(path.split('/').at(-1))] ?? path).toSorted();
}

it('in a folder: by any way, but not to what is there', async () => {
  const bad = ['hidden/expected.txt', './sub/../hidden', '../w/hidden/x', '/proc/self/cwd/hidden/x', 'here/hidden/x', '/dev/fd/3'];
  const good = ['.', 'sub', 'nowhere', '/etc/hostname', 'hidden2/x', '..'];
  expect(await found('folder', 'hidden', [...bad, ...good])).toEqual(bad.filter((one) => one !== 'here/hidden/x').toSorted());
  expect(await found('folder', '.', ['expected.txt', 'other.txt'])).toEqual(['expected.txt']);
});

it('in a root place: at /tests, above it, and through links of the tree', async () => {
  const bad = ['/tests/expected.txt', '../tests/expected.txt', '/', '..', '/app/../tests', 'sub/../../tests'];
  expect(await found('root', '/tests', [...bad, '/app/sub', 'tests/x', '/logs/x', 'sub'])).toEqual(bad.toSorted());
});
