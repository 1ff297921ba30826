import {sep} from 'node:path';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import {LATE, orLate} from '../../base/waiting/or-late.ts';
import type {Position} from '../symbol.ts';
import {diagnose} from './diagnose.ts';
import {findServer} from './find-server.ts';
import {LanguageServer, type ServerOptions} from './language-server.ts';
import {openDocuments, type OpenDocuments} from './open-documents.ts';
import type {FoundServer, ServerSpec} from './server-spec.ts';
import {editsOf, placesOf, type ServerDiagnostic, type ServerEdit, type ServerPlace} from './server-words.ts';

/** A text that a server is asked about. */
export interface AskedText {
  readonly language: string;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/** The servers of one workspace: started when first needed, ended when idle. `undefined`: no server for this language. */
export interface LanguageServers {
  definitions(at: AskedText & {readonly position: Position}, signal: AbortSignal): Promise<readonly ServerPlace[] | undefined>;
  references(at: AskedText & {readonly position: Position}, signal: AbortSignal): Promise<readonly ServerPlace[] | undefined>;
  /** Throws UNAVAILABLE with the server's reason where it refuses, or wants more than to change texts. */
  rename(
    at: AskedText & {readonly position: Position; readonly newName: string},
    signal: AbortSignal,
  ): Promise<readonly ServerEdit[] | undefined>;
  /** `ms` counts from now, also while the server starts. Throws TIMEOUT: what was not said in time is no verdict. */
  diagnostics(asked: AskedText & {readonly ms: number}, signal: AbortSignal): Promise<Diagnosed | undefined>;
  /** Files that were written, absolute. */
  changed(files: readonly string[]): Promise<void>;
  /** Running now, by name. */
  running(): readonly string[];
  close(): Promise<void>;
}

export interface Diagnosed {
  readonly server: string;
  /** Errors and warnings; what editors only hint at is left out. */
  readonly diagnostics: readonly ServerDiagnostic[];
}

export interface LanguageServersOptions extends ServerOptions {
  readonly specs: readonly ServerSpec[];
  /** False: programs that lie in the workspace are not started. */
  readonly mayRunProject: boolean;
  /** A server that nobody asks for so long is ended; milliseconds. */
  readonly idleMs?: number;
}

const MOST_RUNNING = 4;
const MOST_STARTS = 3;
const IDLE_MS = 5 * 60_000;
/** For a question that a person or a model waits for. */
const QUESTION_MS = 15_000;

export function openLanguageServers(options: LanguageServersOptions): LanguageServers {
  const pool: Pool = {
    options,
    byLanguage: new Map(),
    running: new Map(),
    starts: new Map(),
    closing: new AbortController(),
    projectIsTouched: false,
  };
  const ask = async <Answer>(
    {language, file, text}: AskedText,
    signal: AbortSignal,
    question: (running: Running, uri: string) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    const running = await serverFor(pool, language, signal);
    if (running === undefined) return undefined;
    const {uri} = await running.documents.sync(file, text);
    return await question(running, uri);
  };
  return {
    definitions: async ({position, ...asked}, signal) =>
      await ask(asked, signal, async ({server}, uri) =>
        placesOf(
          await server.request('textDocument/definition', {textDocument: {uri}, position: {...position}}, {ms: QUESTION_MS, signal}),
        ),
      ),
    references: async ({position, ...asked}, signal) =>
      await ask(asked, signal, async ({server}, uri) => {
        const params = {textDocument: {uri}, position: {...position}, context: {includeDeclaration: true}};
        return placesOf(await server.request('textDocument/references', params, {ms: QUESTION_MS, signal}));
      }),
    rename: async ({position, newName, ...asked}, signal) =>
      await ask(asked, signal, async ({server}, uri) => {
        const params = {textDocument: {uri}, position: {...position}, newName};
        return editsOf(await server.request('textDocument/rename', params, {ms: QUESTION_MS, signal}));
      }),
    diagnostics: async ({ms, ...asked}, signal) => {
      const until = performance.now() + ms;
      const running = await startedWithin(ms, asked.language, serverFor(pool, asked.language, signal));
      if (running === undefined) return undefined;
      const all = await diagnose({...running, ...asked, ms: Math.max(until - performance.now(), 0)}, signal);
      return {server: running.server.name, diagnostics: all.filter(({severity}) => severity === 'error' || severity === 'warning')};
    },
    async changed(files) {
      pool.projectIsTouched ||= files.some((file) => file.includes(`${sep}node_modules${sep}`));
      await Promise.all([...pool.running.values()].map(async (running) => await (await running).documents.changed(files))).catch(
        () => undefined,
      );
    },
    running: () => [...pool.running.keys()],
    async close() {
      pool.closing.abort(new FettleError({code: 'CANCELLED', message: 'The language servers are closed.'}));
      const all = [...pool.running.values()];
      pool.running.clear();
      await Promise.all(all.map(async (running) => await running.then(stop, () => undefined)));
    },
  };
}

/** A start that takes longer goes on, for the next question. */
async function startedWithin<Value>(ms: number, language: string, starting: Promise<Value>): Promise<Value> {
  const begun = await orLate(starting, ms);
  if (begun !== LATE) return begun;
  throw new FettleError({code: 'TIMEOUT', message: `The language server for ${language} has not started within ${ms / 1000} s.`});
}

interface Pool {
  readonly options: LanguageServersOptions;
  readonly byLanguage: Map<string, Promise<FoundServer | undefined>>;
  /** By the name of the server, the one that was used last at the end. */
  readonly running: Map<string, Promise<Running>>;
  readonly starts: Map<string, number>;
  readonly closing: AbortController;
  /** Something in `node_modules` was written: a program there may not be what it was, and is not started any more. */
  projectIsTouched: boolean;
}

interface Running {
  readonly server: LanguageServer;
  readonly documents: OpenDocuments;
  idle: NodeJS.Timeout | undefined;
}

async function serverFor(pool: Pool, language: string, signal: AbortSignal): Promise<Running | undefined> {
  const {options, byLanguage, running} = pool;
  const found = byLanguage.get(language) ?? findServer({...options, language}, pool.closing.signal);
  byLanguage.set(language, found);
  const spec = await orAbort(found, signal, toFettleError);
  if (spec === undefined) return undefined;
  const existing = running.get(spec.name);
  const known = existing === undefined ? undefined : await orAbort(existing, signal, toFettleError).catch(() => undefined);
  if (known !== undefined && known.server.ended === undefined) {
    keepAlive(pool, spec.name, known);
    return known;
  }
  signal.throwIfAborted();
  // Somebody else has started it while this one looked.
  if (running.get(spec.name) !== existing) return await serverFor(pool, language, signal);
  return mayStart(pool, spec) ? await orAbort(started(pool, spec), signal, toFettleError) : undefined;
}

function mayStart({starts, projectIsTouched}: Pool, {name, isInProject}: FoundServer): boolean {
  return (starts.get(name) ?? 0) < MOST_STARTS && !(isInProject && projectIsTouched);
}

/** For everybody who asks meanwhile; that one of them leaves does not stop it. */
async function started(pool: Pool, spec: FoundServer): Promise<Running> {
  const {options, running, starts, closing} = pool;
  starts.set(spec.name, (starts.get(spec.name) ?? 0) + 1);
  const starting = start(spec, options, closing.signal);
  running.delete(spec.name);
  running.set(spec.name, starting);
  try {
    const begun = await starting;
    keepAlive(pool, spec.name, begun);
    await endOldest(pool);
    return begun;
  } catch (error) {
    if (running.get(spec.name) === starting) running.delete(spec.name);
    throw toFettleError(error);
  }
}

async function start(spec: FoundServer, options: ServerOptions, signal: AbortSignal): Promise<Running> {
  const server = new LanguageServer(spec);
  try {
    await server.start(options, signal);
  } catch (error) {
    await server.close();
    throw error;
  }
  return {server, documents: openDocuments(server, languageId), idle: undefined};
}

function keepAlive(pool: Pool, name: string, running: Running): void {
  clearTimeout(running.idle);
  running.idle = setTimeout(() => void end(pool, name, running), pool.options.idleMs ?? IDLE_MS);
  running.idle.unref();
  const entry = pool.running.get(name);
  if (entry === undefined) return;
  pool.running.delete(name);
  pool.running.set(name, entry);
}

async function endOldest(pool: Pool): Promise<void> {
  if (pool.running.size <= MOST_RUNNING) return;
  const [oldest] = pool.running;
  if (oldest !== undefined) await end(pool, oldest[0], await oldest[1]);
}

async function end(pool: Pool, name: string, running: Running): Promise<void> {
  pool.running.delete(name);
  await stop(running);
}

async function stop({server, idle}: Running): Promise<void> {
  clearTimeout(idle);
  await server.close();
}

/** The names that LSP gives to languages, by the ends of file names (LSP 3.17 › TextDocumentItem). */
function languageId(file: string): string {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1] ?? '';
  return IDS[extension] ?? extension;
}

const IDS: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  pyi: 'python',
  rs: 'rust',
  cc: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  h: 'c',
  cs: 'csharp',
  rb: 'ruby',
  kt: 'kotlin',
  sh: 'shellscript',
  ex: 'elixir',
  exs: 'elixir',
};
