import {expect, it} from 'vitest';
import {FettleError} from '../../../../src/base/errors.ts';
import {userHome} from '../../../../src/exec/variables/user-home.ts';
import {ownFolderError} from '../../../../src/hosts/cli/output/state-folder-error.ts';

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: permission denied, mkdir '${path}'`), {code, path});
const HINT = 'Fettle keeps its files there: correct its owner and mode, or set FETTLE_HOME to a folder that you can write.';

it.each([
  [{}, '/', failure('EACCES', '/.local'), '/.local/state/fettle cannot be used: permission denied.'],
  [{}, '/root', failure('EACCES', '/root/.local/state/fettle/sessions'), '/root/.local/state/fettle cannot be used: permission denied.'],
  [{}, '/root', failure('EROFS', '/root/.config/fettle'), '/root/.config/fettle cannot be used: the file system is read-only.'],
  [{FETTLE_HOME: '/f'}, '/root', failure('ENOTDIR', '/f/state'), '/f cannot be used: a part of the path is a file.'],
  [
    {},
    '/root',
    new FettleError({code: 'CONFIG', message: 'x', cause: failure('EACCES', '/root/.config/fettle/config.toml')}),
    '/root/.config/fettle cannot be used: permission denied.',
  ],
])('a folder of its own that cannot be used is one line and a hint: %j %s', (env, home, thrown, message) => {
  expect(ownFolderError(thrown, {env, home})).toMatchObject({code: 'CONFIG', message, hint: HINT});
});

it.each([failure('EACCES', '/work/a.txt'), failure('ENOSPC', '/root/.config/fettle'), new Error('EACCES'), undefined])(
  '%s is another matter',
  (thrown) => {
    expect(ownFolderError(thrown, {env: {}, home: '/root'})).toBe(undefined);
  },
);

it.each([
  ['', false],
  ['x', false],
  ['../x', false],
  [undefined, false],
  ['/', true],
  ['/home/a', true],
])('HOME=%j', (HOME, isUsed) => {
  const home = userHome({HOME});
  expect([home.startsWith('/'), home === HOME]).toEqual([true, isUsed]);
});
