import {randomBytes} from 'node:crypto';
import {lstat, mkdir, realpath, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isFettleError, toFettleError} from '../../../base/errors.ts';
import {createRedactor, type Redactor} from '../../../base/redact.ts';
import {loadLog} from '../../../sessions/log-reader.ts';
import {listSessions, type SessionInfo} from '../../../sessions/session-list.ts';
import {throwIfCancelled} from '../../../workspace/open-regular-file.ts';
import {taskProblem} from '../task-text.ts';
import {treeDigest} from '../tree-digest.ts';
import {hideChecks} from './hidden-checks.ts';
import {hideSecrets} from './hide-secrets.ts';
import {rebuildStart, type StartSource} from './session-start.ts';
import {recordedScript} from './recorded-script.ts';
import {sessionWork, type SessionWork} from './session-work.ts';

export interface FromSessions {
  readonly stateDir: string;
  /** The suite: tasks are added to it. Only the owner can read it. */
  readonly suite: string;
  /** Milliseconds since 1970: only sessions that began then or later. */
  readonly since?: number | undefined;
  /** Only sessions whose work was verified by commands that were named for it. */
  readonly verified: boolean;
}

/** A session, and the task that was made of it or the reason why there is none. */
export type SessionTask = {readonly session: string; readonly title: string} & (
  | {readonly folder: string; readonly notes: readonly string[]}
  | {readonly reason: string}
);

/**
 * Makes tasks of recorded sessions, newest first: the folder as it was, the first prompt, and the check that passed. Secrets are taken out, and
 * nothing leaves the machine. A session of which a task was made before is skipped. @throws FettleError CANCELLED, IO for the folder of the suite
 */
export async function* tasksFromSessions(request: FromSessions, signal: AbortSignal): AsyncGenerator<SessionTask, void, undefined> {
  const {stateDir, suite, since = 0} = request;
  await mkdir(suite, {recursive: true, mode: 0o700}).catch((error: unknown) => {
    throw toFettleError(error);
  });
  for (const info of listSessions({stateDir})) {
    throwIfCancelled(signal);
    if (Date.parse(info.startedAt ?? info.updatedAt) < since) continue;
    const known = {session: info.threadId, title: info.title ?? ''};
    yield {...known, ...(await taskOf(info, {...request, suite: await realpath(suite)}, signal))};
  }
}

type Made = {readonly folder: string; readonly notes: readonly string[]} | {readonly reason: string};

async function taskOf(info: SessionInfo, request: FromSessions, signal: AbortSignal): Promise<Made> {
  const folder = join(request.suite, info.threadId);
  if (info.broken !== undefined) return {reason: info.broken};
  if (info.outcome === 'running') return {reason: 'it is still running'};
  if (await lstat(folder).catch(() => undefined)) return {reason: 'a task was made of it before'};
  const {events} = await loadLog(info.file);
  const work = await sessionWork(events, request.verified);
  if (typeof work === 'string') return {reason: work};
  const temporary = join(request.suite, `.${info.threadId}-${randomBytes(8).toString('hex')}.tmp`);
  try {
    await mkdir(temporary, {mode: 0o700});
    const made = await write({info, work, request, temporary}, signal);
    if ('notes' in made) await rename(temporary, folder);
    return 'notes' in made ? {folder, notes: made.notes} : made;
  } catch (error) {
    const known = toFettleError(error);
    if (known.code === 'CANCELLED' || !isFettleError(known)) throw known;
    return {reason: known.message.replaceAll(temporary, 'the copy')};
  } finally {
    await rm(temporary, {recursive: true, force: true});
  }
}

interface Writing {
  readonly info: SessionInfo;
  readonly work: SessionWork;
  readonly request: FromSessions;
  readonly temporary: string;
}

async function write(
  {info, work, request, temporary}: Writing,
  signal: AbortSignal,
): Promise<{notes: readonly string[]} | {reason: string}> {
  const source = await sourceOf(info, request, join(temporary, 'start'));
  if (source === undefined) return {reason: `its folder ${info.cwd} is gone`};
  const redactor = createRedactor({shapes: true});
  if (work.checks.some((check) => redactor.text(check) !== check)) return {reason: 'its check has a secret in it'};
  const tests = join(temporary, 'tests');
  await mkdir(tests);
  const problem = (await rebuildStart(source, signal)) ?? (await hideChecks(source, {...work, tests}));
  if (problem !== undefined) return {reason: problem};
  const hidden = [await hideSecrets(source.to, redactor, signal), await hideSecrets(tests, redactor, signal)];
  for (const folder of [source.to, tests]) await treeDigest(folder, signal);
  const prompt = redactor.text(work.prompt).trim();
  await writeFile(join(temporary, 'prompt.md'), `${prompt}\n`);
  await writeFile(join(temporary, 'task.toml'), taskToml(info, work));
  await writeFile(join(temporary, 'script.json'), script(work, source, redactor));
  const lost = [...new Set(hidden.flatMap(({removed, redacted}) => [...removed, ...redacted]))];
  return {
    notes: [
      ...(lost.length === 0 ? [] : [`Secrets were taken out: ${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ' …' : ''}`]),
      // Logs are written without secrets, so that it may have been replaced before.
      ...(prompt.includes('[redacted') ? ['The prompt had a secret in it.'] : []),
    ],
  };
}

async function sourceOf(
  {cwd = '', threadId, startedAt = ''}: SessionInfo,
  {stateDir}: FromSessions,
  to: string,
): Promise<StartSource | undefined> {
  const folder = await realpath(cwd).catch(() => undefined);
  return folder === undefined ? undefined : {folder, stateDir, threadId, startedAt, to};
}

/** Paths of the folder become relative: the task runs elsewhere. */
function script({turn}: SessionWork, {folder}: StartSource, redactor: Redactor): string {
  return redactor.text(`${JSON.stringify(recordedScript(turn, folder), null, 2)}\n`);
}

function taskToml({threadId, model = 'unknown'}: SessionInfo, {checks}: SessionWork): string {
  const verify = checks.length === 1 ? (checks[0] ?? '') : checks.map((check) => `( ${check} )`).join(' && ');
  if (/[\0\n\r]/.test(verify)) throw taskProblem('its check has several lines');
  return `verify = ${toml(verify)}\ntests_at = "."\nsession = ${toml(threadId)}\n\n[labels]\nsource = "session"\nmodel = ${toml(model)}\n`;
}

/** TOML reads the escapes of JSON, and wants one more. */
function toml(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007f`);
}
