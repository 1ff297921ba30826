import {closeSync, fstatSync, lstatSync, openSync} from 'node:fs';
import {systemErrorCode, toFettleError} from '../base/errors.ts';
import {parseJson} from '../base/json.ts';
import type {OutcomeCode} from '../protocol/events.ts';
import {findDamage, type LogDamage} from './log-damage.ts';
import {decodeLine, type LoggedEvent} from './log-line.ts';
import {linesFromEnd, readSpan} from './log-tail.ts';
import {allSessionFiles, findSession, isRegular, type SessionFile} from './session-files.ts';
import {outcomeAfter} from './session-totals.ts';
import {isLocked} from './writer-lock.ts';

export interface SessionInfo extends SessionFile {
  readonly bytes: number;
  /** The time of the last write, ISO 8601. */
  readonly updatedAt: string;
  readonly startedAt?: string | undefined;
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
  /** The beginning of the first user message, on one line. */
  readonly title?: string | undefined;
  readonly turns?: number | undefined;
  /** The end of the last turn; `running` while a process writes the session, `interrupted` if no end was logged. */
  readonly outcome?: OutcomeCode | 'interrupted' | 'running' | undefined;
  /** The reason why the session cannot be read, or not from its beginning. */
  readonly broken?: string | undefined;
  /** Only of `withDamage`: some records cannot be read, the others can. */
  readonly damage?: LogDamage | undefined;
  /** For a subagent: the thread that started it. */
  readonly parent?: string | undefined;
  /** The profile or the role of the subagent. */
  readonly agent?: string | undefined;
}

export interface ListOptions {
  readonly stateDir: string;
  /** Only sessions of this folder, and broken ones without a folder. */
  readonly cwd?: string | undefined;
  readonly limit?: number | undefined;
  /** Also those of subagents, which a person did not begin. */
  readonly subagents?: boolean | undefined;
}

/** Sessions, the last used first. Reads the head and the tail of each file, and of no more files than `limit` asks for. */
export function listSessions({limit = Infinity, ...options}: ListOptions): readonly SessionInfo[] {
  return [...byLastUse(options).take(limit)];
}

/** The session last used in a folder, which `--last` means; one that nobody typed into does not count. Reads no older one. */
export function latestSession(options: {readonly stateDir: string; readonly cwd: string}): SessionInfo | undefined {
  return byLastUse(options).find((info) => info.broken === undefined && !isUntouched(info));
}

function* byLastUse({stateDir, cwd, subagents = false}: Omit<ListOptions, 'limit'>): Generator<SessionInfo, void, undefined> {
  for (const candidate of newestFirst(allSessionFiles(stateDir))) {
    const info = describeSession(candidate);
    if (info.parent !== undefined && !subagents) continue;
    if (cwd === undefined || info.cwd === undefined || info.cwd === cwd) yield info;
  }
}

/** True if a session was opened and nothing was ever said in it. */
export function isUntouched({broken, title, turns}: SessionInfo): boolean {
  return broken === undefined && title === undefined && (turns ?? 0) === 0;
}

/** The session of that id, or of the one id that begins with it. Throws NOT_FOUND, NOT_UNIQUE, NOT_A_FILE. */
export function sessionInfo(stateDir: string, idOrPrefix: string): SessionInfo {
  const found = findSession(stateDir, idOrPrefix);
  return describeSession({...found, modified: lstatSync(found.file).mtimeMs});
}

/** Adds damage in the middle of the log to a session, which requires checking the whole log. */
export function withDamage(info: SessionInfo): SessionInfo {
  const damage = info.broken === undefined ? findDamage(info.file) : undefined;
  return damage === undefined ? info : {...info, damage};
}

interface DatedFile extends SessionFile {
  readonly modified: number;
}

function newestFirst(files: readonly SessionFile[]): readonly DatedFile[] {
  const dated = files.flatMap((file) => {
    const stat = lstatSync(file.file, {throwIfNoEntry: false});
    return stat === undefined ? [] : [{...file, modified: stat.mtimeMs}];
  });
  return dated.sort((a, b) => b.modified - a.modified || (a.threadId < b.threadId ? 1 : -1));
}

function describeSession({threadId, file, modified}: DatedFile): SessionInfo {
  const base = {threadId, file, bytes: 0, updatedAt: new Date(modified).toISOString()};
  if (!isRegular({threadId, file})) return {...base, broken: 'it is not a regular file'};
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = fstatSync(fd).size;
      return {...base, bytes, ...headFacts(fd, bytes), ...tailFacts(fd, bytes, file)};
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return {...base, broken: systemErrorCode(error) ?? toFettleError(error).message};
  }
}

const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 1024 * 1024;
const TITLE_LENGTH = 80;

function headFacts(fd: number, bytes: number): Partial<SessionInfo> {
  const head = readSpan(fd, {start: 0, end: Math.min(bytes, HEAD_BYTES)}).toString('utf8');
  const lines = head.split('\n');
  const rest = lines.pop() ?? '';
  const first = decodeLine(lines[0] ?? '');
  if (typeof first === 'string') return {broken: bytes === 0 ? 'it is empty' : `its first line is broken: ${first}`};
  const {event, ts} = first;
  const started =
    event.type === 'thread.started'
      ? {cwd: event.cwd, model: event.model, parent: event.parent_thread_id, agent: event.agent}
      : {broken: 'it has no beginning'};
  return {startedAt: ts, ...started, title: titleOf(lines, rest)};
}

function titleOf(lines: readonly string[], rest: string): string | undefined {
  for (const line of lines) {
    const decoded = decodeLine(line);
    if (typeof decoded === 'string' || decoded.event.type !== 'item.completed') continue;
    const {item} = decoded.event;
    if (item.type === 'user_message') return shortened(item.text);
  }
  const beginning = CUT_PROMPT.exec(rest)?.[1];
  const text = beginning === undefined ? undefined : parseJson(`"${beginning}"`);
  return typeof text === 'string' ? shortened(text) : undefined;
}

/** The beginning of the text of a user message in a line that was cut, up to a whole character. */
const CUT_PROMPT = /"type":"user_message","text":"((?:[^"\\]|\\u[0-9a-f]{4}|\\[^u]){0,800})/;

function shortened(text: string): string {
  const line = text
    .slice(0, 10 * TITLE_LENGTH)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1)}…`;
}

function tailFacts(fd: number, bytes: number, file: string): Partial<SessionInfo> {
  let turns: number | undefined;
  for (const logged of eventsFromEnd(fd, bytes)) {
    turns ??= logged.turn;
    const outcome = outcomeAfter(logged.event);
    if (outcome !== undefined) return {turns, outcome: outcome === 'interrupted' && isLocked(`${file}.lock`) ? 'running' : outcome};
  }
  return {turns};
}

function* eventsFromEnd(fd: number, bytes: number): Generator<LoggedEvent> {
  for (const span of linesFromEnd(fd, bytes)) {
    if (bytes - span.start > TAIL_BYTES) return;
    const decoded = decodeLine(readSpan(fd, span).toString('utf8'));
    if (typeof decoded !== 'string') yield decoded;
  }
}
