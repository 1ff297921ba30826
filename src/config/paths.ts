import {isAbsolute, join, normalize} from 'node:path';
import {FettleError} from '../base/errors.ts';

export interface FettlePaths {
  readonly configDir: string;
  /** The user's configuration file, whether it exists or not. */
  readonly configFile: string;
  /** Data that must not be lost: sessions, checkpoints, trust. */
  readonly stateDir: string;
  /** Data that can be rebuilt. */
  readonly cacheDir: string;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user, absolute. */
  readonly home: string;
}

/**
 * Returns the folders in which Fettle keeps its files: all below `FETTLE_HOME` if that is set, else following the XDG Base Directory
 * Specification has it. A relative `XDG_*` value is ignored (the specification: "must be absolute"); a relative `FETTLE_HOME` is an error,
 * CONFIG: it would mean another folder, perhaps one of a hostile repository, after each `cd`. So is a place in a kernel file system, CONFIG:
 * nothing can be stored there, and creating a folder there never returns (nodejs/node: recursive `mkdir` below /proc).
 */
export function fettlePaths(surroundings: Surroundings): FettlePaths {
  const paths = pathsOf(surroundings);
  const wrong = [paths.configDir, paths.stateDir, paths.cacheDir].find((path) => /^\/(?:proc|sys)(?:\/|$)/.test(normalize(path)));
  if (wrong === undefined) return paths;
  throw new FettleError({
    code: 'CONFIG',
    message: `${wrong} is in a kernel file system: nothing can be stored there.`,
    hint: 'Set FETTLE_HOME, or the XDG variables, to a folder on a disk.',
  });
}

function pathsOf({env, home}: Surroundings): FettlePaths {
  const own = env['FETTLE_HOME'];
  if (own !== undefined && own !== '') return below(own);
  const configDir = join(xdg(env['XDG_CONFIG_HOME'], join(home, '.config')), 'fettle');
  return {
    configDir,
    configFile: join(configDir, 'config.toml'),
    stateDir: join(xdg(env['XDG_STATE_HOME'], join(home, '.local', 'state')), 'fettle'),
    cacheDir: join(xdg(env['XDG_CACHE_HOME'], join(home, '.cache')), 'fettle'),
  };
}

function below(own: string): FettlePaths {
  if (!isAbsolute(own)) {
    throw new FettleError({
      code: 'CONFIG',
      message: `FETTLE_HOME: must be an absolute path, got "${own}".`,
      hint: 'Set FETTLE_HOME to an absolute path, or unset it.',
    });
  }
  return {configDir: own, configFile: join(own, 'config.toml'), stateDir: join(own, 'state'), cacheDir: join(own, 'cache')};
}

function xdg(value: string | undefined, fallback: string): string {
  return value !== undefined && isAbsolute(value) ? value : fallback;
}
