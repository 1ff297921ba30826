import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import {isGitInternal, type BytePath} from './byte-path.ts';
import type {JournalLine} from './checkpoint.ts';
import type {EntryState} from './entry-state.ts';

/**
 * Parses a line of a record. 'cut off': truncated by a crash or a full disk. 'foreign': complete, but never
 * written here: a path that leads out of the folder, a mode with setuid and no owner, a word of another version.
 */
export function journalLine(text: string): JournalLine | 'cut off' | 'foreign' {
  const value = parseJson(text);
  if (value === undefined) return 'cut off';
  return isJsonObject(value) && isLine(value) ? (value as unknown as JournalLine) : 'foreign';
}

function isLine(line: JsonObject): boolean {
  switch (line['t']) {
    case 'begin':
      return isBegin(line);
    case 'before':
    case 'after':
      return isKeptPath(line['p']) && isEntryState(line['s']) && isTextOrAbsent(line['at']);
    case 'touch':
      return isKeptPath(line['p']);
    case 'note':
      return typeof line['text'] === 'string';
    case 'end':
      // Without a checksum, no other field may be there: a garbled key does not make this a record of an earlier version.
      return typeof line['sum'] === 'string' || Object.keys(line).length === 1;
    default:
      return line['t'] === 'scan' || line['t'] === 'scanned' || line['t'] === 'interrupted';
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isBegin({v, kind, scope, id, session, target, title, startedAt}: JsonObject): boolean {
  const isKnown = v === 1 && (kind === 'turn' || kind === 'restore') && (scope === 'files' || scope === 'conversation' || scope === 'both');
  return isKnown && [id, session, target, title, startedAt].every((text) => typeof text === 'string');
}

/** True for a path that this store may write: below the root, through no `..`, never into `.git`. */
export function isKeptPath(path: unknown): path is BytePath {
  if (typeof path !== 'string' || NO_BYTES.test(path)) return false;
  return path === '' || (!LEADS_ELSEWHERE.test(path) && !isGitInternal(path));
}

// oxlint-disable-next-line no-control-regex -- a NUL ends a path for the system
const NO_BYTES = /[\0\u0100-\uffff]/;
const LEADS_ELSEWHERE = /(?:^|\/)\.{0,2}(?:\/|$)/;

export function isEntryState(state: unknown): state is EntryState {
  if (state === null) return true;
  if (!isJsonObject(state)) return false;
  switch (state['kind']) {
    case 'file':
      return isFile(state);
    case 'folder':
      return isMode(state['mode'], 0o7777);
    case 'link':
      return typeof state['target'] === 'string' && !NO_BYTES.test(state['target']);
    default:
      return state['kind'] === 'other';
  }
}

function isFile({mode, size, hash, stamp, rights}: JsonObject): boolean {
  if (rights !== undefined && !isRights(rights)) return false;
  if (!isMode(mode, 0o1777) || !Number.isSafeInteger(size) || Number(size) < 0) return false;
  if (stamp !== undefined && typeof stamp !== 'string') return false;
  return hash === undefined || (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash));
}

function isRights(rights: unknown): boolean {
  if (!isJsonObject(rights) || !isMode(rights['bits'], 0o6000) || rights['bits'] === 0) return false;
  return [rights['uid'], rights['gid']].every((id) => Number.isSafeInteger(id) && Number(id) >= 0);
}

function isMode(mode: unknown, allowed: number): boolean {
  return typeof mode === 'number' && Number.isInteger(mode) && mode >= 0 && (mode & ~allowed) === 0;
}
