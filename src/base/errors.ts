/** Every way in which Fettle can fail. A closed list: each code has one exit code (protocol/exit-code.ts) and one line of documentation. */
export type ErrorCode =
  | 'BAD_ARGS' // arguments of a tool or function do not fit
  | 'NOT_FOUND' // the named thing does not exist
  | 'NOT_UNIQUE' // the text to replace occurs in several places
  | 'NOT_A_FILE' // a folder, FIFO, device or socket where a regular file is needed
  | 'NOT_TEXT' // binary content where text is needed
  | 'OUTSIDE_SCOPE' // a path that leads out of the workspace
  | 'DENIED' // a rule, a person or the system said no
  | 'TIMEOUT' // a limit of time passed
  | 'TOO_LARGE' // more bytes, lines or entries than the limit
  | 'UNAVAILABLE' // a program, service or feature that is not there
  | 'CANCELLED' // stopped on request
  | 'STALE' // the file changed since it was read
  | 'IO' // the operating system refused: full disk, broken file
  | 'USAGE' // the command line is wrong
  | 'CONFIG' // a setting is wrong
  | 'AUTH' // the provider did not accept the key
  | 'PROVIDER' // the provider or the network failed
  | 'LIMIT' // a budget was used up
  | 'LOOP' // the model repeats itself
  | 'INTERNAL'; // a defect of Fettle

export interface ErrorDetails {
  readonly code: ErrorCode;
  /** One line, what happened, with the names involved. */
  readonly message: string;
  /** One line that says what the reader can do next. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('fettle.error');

/** The one error class. Use {@link isFettleError} to recognise it: the brand also works across copies of the package. */
export class FettleError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor({code, message, hint, cause}: ErrorDetails) {
    super(message, cause === undefined ? undefined : {cause});
    this.name = 'FettleError';
    this.code = code;
    this.hint = hint;
  }
}

export function isFettleError(value: unknown): value is FettleError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Turns anything thrown into a FettleError; errors of the system and of SQLite keep their meaning (ENOENT → NOT_FOUND, EACCES → DENIED, …). */
export function toFettleError(thrown: unknown): FettleError {
  if (isFettleError(thrown)) return thrown;
  if (isAbort(thrown)) return new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause: thrown});
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const stored = sqliteError(thrown);
  if (stored !== undefined) return new FettleError({...stored, message: `The database cannot be used: ${message}.`, cause: thrown});
  const system = systemErrorCode(thrown);
  if (system === undefined) return new FettleError({code: 'INTERNAL', message, cause: thrown});
  const known = SYSTEM_ERRORS[system];
  return new FettleError({code: known?.code ?? 'IO', message, hint: known?.hint, cause: thrown});
}

/** The `code` of an error of the operating system (`ENOENT`, `EAI_AGAIN` …), or undefined; Node's own begin with `ERR_`. */
export function systemErrorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' && /^E(?!RR_)[A-Z0-9_]+$/.test(thrown.code) ? thrown.code : undefined;
}

/** Only for what a person can do something about: a wrong statement is a defect. The lower byte of the code says what it is (sqlite.org/rescode.html). */
function sqliteError(thrown: unknown): Pick<ErrorDetails, 'code' | 'hint'> | undefined {
  const isIts = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_SQLITE_ERROR' && 'errcode' in thrown;
  return isIts && typeof thrown.errcode === 'number' ? SQLITE_ERRORS[thrown.errcode & 0xff] : undefined;
}

const UNWRITABLE = {code: 'IO', hint: 'Check owner and mode of the file and its folder.'} as const;
const DAMAGED = {code: 'IO', hint: 'The file is damaged: move it away, or restore it from a backup.'} as const;

const SQLITE_ERRORS: Readonly<Record<number, Pick<ErrorDetails, 'code' | 'hint'>>> = {
  5: {code: 'UNAVAILABLE', hint: 'Another process writes to it; try again in a moment.'},
  8: UNWRITABLE,
  10: {code: 'IO', hint: 'Check the disk, and try again.'},
  11: DAMAGED,
  13: {code: 'IO', hint: 'The disk is full. Free some space and try again: what was stored before is kept.'},
  14: UNWRITABLE,
  26: DAMAGED,
};

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'TimeoutError');
}

const SYSTEM_ERRORS: Readonly<Record<string, {code: ErrorCode; hint: string}>> = {
  ENOENT: {code: 'NOT_FOUND', hint: 'Check the path; list the folder to see what is there.'},
  ENOTDIR: {code: 'NOT_FOUND', hint: 'A part of the path is a file, not a folder.'},
  EISDIR: {code: 'NOT_A_FILE', hint: 'This is a folder; list it instead.'},
  EACCES: {code: 'DENIED', hint: 'The operating system does not allow it; check owner and mode.'},
  EPERM: {code: 'DENIED', hint: 'The operating system does not allow it; check owner and mode.'},
  EROFS: {code: 'DENIED', hint: 'The file system is read-only.'},
  ENOSPC: {code: 'IO', hint: 'The disk is full; nothing was changed. Free some space and try again.'},
  EDQUOT: {code: 'IO', hint: 'The disk quota is used up; nothing was changed.'},
  ELOOP: {code: 'NOT_FOUND', hint: 'The path is a loop of symbolic links.'},
  ENAMETOOLONG: {code: 'BAD_ARGS', hint: 'The path is too long.'},
  ECONNREFUSED: {code: 'PROVIDER', hint: 'Nothing listens at that address: is the server running, and is the base URL right?'},
  ECONNRESET: {code: 'PROVIDER', hint: 'The connection was cut; try again.'},
  EPIPE: {code: 'PROVIDER', hint: 'The connection was cut; try again.'},
  ENOTFOUND: {code: 'PROVIDER', hint: 'The host name is not known; check the base URL and the network.'},
  EAI_AGAIN: {code: 'PROVIDER', hint: 'The host name could not be looked up; check the network.'},
  ETIMEDOUT: {code: 'PROVIDER', hint: 'The connection timed out; check the network.'},
};
