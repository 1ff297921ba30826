import {lstatSync, readdirSync, type Dirent} from 'node:fs';
import {basename, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {isLocked} from './writer-lock.ts';

/** The file of one session: `<stateDir>/sessions/<day of creation, UTC>/<thread id>.jsonl`. */
export interface SessionFile {
  readonly threadId: string;
  readonly file: string;
}

export function sessionFile({stateDir, threadId, day}: {stateDir: string; threadId: string; day: string}): SessionFile {
  return {threadId, file: join(sessionsDir(stateDir), day, `${threadId}${SUFFIX}`)};
}

/** Returns the folder of the full outputs of a session, as long as it lives. */
export function spoolFolder(stateDir: string, threadId: string): string {
  return join(stateDir, 'spool', threadId);
}

/** Everything by the name of a session file, in no order. */
export function allSessionFiles(stateDir: string): readonly SessionFile[] {
  const root = sessionsDir(stateDir);
  // A folder that is a link is not followed.
  const days = entries(root).filter((day) => day.isDirectory());
  return days.flatMap(({name: day}) =>
    entries(join(root, day))
      .filter(({name}) => name.endsWith(SUFFIX))
      .map(({name}) => ({threadId: name.slice(0, -SUFFIX.length), file: join(root, day, name)})),
  );
}

/** The ids of the sessions that some process writes now; found with one look at the names, however many are asked about. */
export function sessionsInUse(stateDir: string): ReadonlySet<string> {
  const root = sessionsDir(stateDir);
  const locks = entries(root)
    .filter((day) => day.isDirectory())
    .flatMap(({name: day}) => entries(join(root, day)).flatMap(({name}) => (name.endsWith(LOCK) ? [join(root, day, name)] : [])));
  return new Set(locks.filter(isLocked).map((lock) => basename(lock, LOCK)));
}

/**
 * The session of that id, or of the one id that begins with it (`thr_` may be left out).
 * NOT_FOUND if there is none, NOT_UNIQUE with the candidates where there are several; NOT_A_FILE for what only bears such a name.
 */
export function findSession(stateDir: string, idOrPrefix: string): SessionFile {
  const all = allSessionFiles(stateDir);
  const exact = all.find(({threadId}) => threadId === idOrPrefix);
  if (exact !== undefined) return regular(exact);
  const matches = idOrPrefix === '' ? [] : all.filter(({threadId}) => beginsWith(threadId, idOrPrefix));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return regular(only);
  if (only === undefined) {
    throw new FettleError({code: 'NOT_FOUND', message: `There is no session ${idOrPrefix}.`, hint: 'See `fettle sessions list`.'});
  }
  throw new FettleError({
    code: 'NOT_UNIQUE',
    message: `${matches.length} sessions begin with ${idOrPrefix}: ${candidates(matches)}.`,
    hint: 'Give more of the id.',
  });
}

/** False for a link, a pipe, a folder: it would be followed, or waited for. */
export function isRegular({file}: SessionFile): boolean {
  return lstatSync(file, {throwIfNoEntry: false})?.isFile() === true;
}

function regular(found: SessionFile): SessionFile {
  if (isRegular(found)) return found;
  throw new FettleError({code: 'NOT_A_FILE', message: `${found.file} is not a session log: not a regular file.`, hint: 'Move it away.'});
}

const SUFFIX = '.jsonl';
const LOCK = `${SUFFIX}.lock`;
const SHOWN = 10;

function sessionsDir(stateDir: string): string {
  return join(stateDir, 'sessions');
}

function beginsWith(threadId: string, prefix: string): boolean {
  return threadId.startsWith(prefix) || threadId.startsWith(`thr_${prefix}`);
}

function candidates(matches: readonly SessionFile[]): string {
  const ids = matches.map(({threadId}) => threadId).sort();
  return ids.length <= SHOWN ? ids.join(', ') : `${ids.slice(0, SHOWN).join(', ')} and ${ids.length - SHOWN} more`;
}

function entries(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, {withFileTypes: true});
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw toFettleError(error);
  }
}
