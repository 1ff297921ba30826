import {describe, expect, it} from 'vitest';
import {fettlePaths} from '../../src/config/paths.ts';

const home = '/home/ada';

describe('fettlePaths', () => {
  it('keeps files below the home folder by default (XDG Base Directory › defaults)', () => {
    expect(fettlePaths({env: {}, home})).toEqual({
      configDir: '/home/ada/.config/fettle',
      configFile: '/home/ada/.config/fettle/config.toml',
      stateDir: '/home/ada/.local/state/fettle',
      cacheDir: '/home/ada/.cache/fettle',
    });
  });

  it('follows XDG variables, each on its own', () => {
    const env = {XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k'};
    expect(fettlePaths({env, home})).toEqual({
      configDir: '/c/fettle',
      configFile: '/c/fettle/config.toml',
      stateDir: '/s/fettle',
      cacheDir: '/k/fettle',
    });
  });

  it.each(['', 'relative', './c'])('ignores the XDG value %j (XDG Base Directory › "must be absolute")', (value) => {
    const env = {XDG_CONFIG_HOME: value, XDG_STATE_HOME: value, XDG_CACHE_HOME: value};
    expect(fettlePaths({env, home})).toEqual(fettlePaths({env: {}, home}));
  });

  it('puts everything below FETTLE_HOME, which is stronger than XDG', () => {
    expect(fettlePaths({env: {FETTLE_HOME: '/f', XDG_CONFIG_HOME: '/c'}, home})).toEqual({
      configDir: '/f',
      configFile: '/f/config.toml',
      stateDir: '/f/state',
      cacheDir: '/f/cache',
    });
    expect(fettlePaths({env: {FETTLE_HOME: ''}, home})).toEqual(fettlePaths({env: {}, home}));
  });

  it('refuses a relative FETTLE_HOME: it would follow the working folder into a hostile repository', () => {
    expect(() => fettlePaths({env: {FETTLE_HOME: '.fettle'}, home})).toThrow(
      expect.objectContaining({code: 'CONFIG', message: 'FETTLE_HOME: must be an absolute path, got ".fettle".'}),
    );
  });

  it.each([{FETTLE_HOME: '/proc/x'}, {FETTLE_HOME: '/tmp/../sys/x'}, {XDG_STATE_HOME: '/proc/self'}])(
    'refuses a file system of the kernel, where making a folder would hang: %j',
    (env) => {
      expect(() => fettlePaths({env, home})).toThrow(/is in a kernel file system: nothing can be stored there\.$/);
    },
  );
});
