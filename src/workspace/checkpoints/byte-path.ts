/**
 * A path below a root: one character for each byte of a name, `/` between names, '' for the root itself. In this form every name that a system
 * allows can be stored and compared, UTF-8 or not.
 */
export type BytePath = string;

export function bytePath(text: string): BytePath {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** For people; bytes that are not UTF-8 show as U+FFFD. */
export function pathText(path: BytePath): string {
  return BEYOND_ASCII.test(path) ? Buffer.from(path, 'latin1').toString('utf8') : path;
}

/** Converts a path for a system call. */
export function systemPath(folder: string, path: BytePath): string | Buffer {
  if (path === '') return folder;
  if (!BEYOND_ASCII.test(path)) return `${folder}/${path}`;
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

export function below(folder: BytePath, name: string): BytePath {
  return folder === '' ? name : `${folder}/${name}`;
}

export function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: BytePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Sorts parents before their content. */
export function shallowFirst(a: BytePath, b: BytePath): number {
  return depth(a) - depth(b) || (a < b ? -1 : 1);
}

/** True for the entry itself and its content. */
export function isWithin(folder: BytePath, path: BytePath): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The inner files of git, of the root or of a repository further down: never stored, never written. */
export function isGitInternal(path: BytePath): boolean {
  return path.split('/').some((name) => name.toLowerCase() === '.git');
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function depth(path: BytePath): number {
  return path === '' ? 0 : path.split('/').length;
}
