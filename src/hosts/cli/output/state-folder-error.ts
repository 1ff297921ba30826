import {sep} from 'node:path';
import {FettleError, systemErrorCode} from '../../../base/errors.ts';
import {fettlePaths, type Surroundings} from '../../../config/paths.ts';

/**
 * The error for a folder of Fettle's own that the system does not let it use, as with the HOME of another user, of a user without one, or on a
 * read-only disk; undefined for any other error.
 */
export function ownFolderError(thrown: unknown, surroundings: Surroundings): FettleError | undefined {
  const cause = systemErrorCode(thrown) === undefined && thrown instanceof Error ? thrown.cause : thrown;
  const reason = REASONS[systemErrorCode(cause) ?? ''];
  const path = cause instanceof Error && 'path' in cause && typeof cause.path === 'string' ? cause.path : undefined;
  if (reason === undefined || path === undefined) return undefined;
  const {configDir, stateDir, cacheDir} = fettlePaths(surroundings);
  const own = [configDir, stateDir, cacheDir].find((folder) => holds(folder, path) || holds(path, folder));
  if (own === undefined) return undefined;
  const hint = 'Fettle keeps its files there: correct its owner and mode, or set FETTLE_HOME to a folder that you can write.';
  return new FettleError({code: 'CONFIG', message: `${own} cannot be used: ${reason}.`, hint, cause: thrown});
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  ELOOP: 'the path is a loop of symbolic links',
};

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
