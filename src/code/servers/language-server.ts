import {pathToFileURL} from 'node:url';
import {createMessageConnection, type MessageConnection} from 'vscode-jsonrpc/node';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';
import {LATE, orLate} from '../../base/waiting/or-late.ts';
import type {Variables} from '../../exec/variables/child-environment.ts';
import {startServerProcess, type ServerCommand, type ServerProcess} from '../../exec/process/server-process.ts';
import {BoundedReader, messageWriter} from './message-streams.ts';
import type {FoundServer} from './server-spec.ts';

export interface ServerOptions {
  readonly root: string;
  readonly env: Variables;
  /** Walls around it, where commands have them. */
  readonly wrap?: ((command: ServerCommand) => Promise<WrappedCommand>) | undefined;
}

export interface WrappedCommand {
  readonly command: ServerCommand;
  release(): void;
}

export interface WaitLimits {
  readonly ms: number;
  readonly signal: AbortSignal;
}

export type NotificationListener = (method: string, params: Json) => void;

/** One running server, from its start to its end. Requests have a limit of time; what fails says UNAVAILABLE. */
export class LanguageServer {
  readonly name: string;
  #process: ServerProcess | undefined;
  #connection: MessageConnection | undefined;
  #release: () => void = () => undefined;
  #capabilities: JsonObject = {};
  #ended: string | undefined;
  readonly #server: FoundServer;
  readonly #listeners = new Set<NotificationListener>();
  /** Of requests without an answer so far. */
  readonly #waiting = new Set<(error: FettleError) => void>();

  constructor(server: FoundServer) {
    this.#server = server;
    this.name = server.name;
  }

  /** Starts the program and does the handshake (LSP 3.17 › initialize). Throws UNAVAILABLE. */
  async start(options: ServerOptions, signal: AbortSignal): Promise<void> {
    const {program, args} = this.#server;
    const plain = {program, args, cwd: options.root, env: options.env};
    const wrapped = (await options.wrap?.(plain)) ?? {command: plain, release: () => undefined};
    this.#release = wrapped.release;
    const reader = new BoundedReader(() => {
      this.#end('it sent a message that does not end');
      void this.#process?.close();
    });
    this.#process = await startServerProcess(wrapped.command, {
      onData: (chunk) => reader.push(chunk),
      onExit: (reason) => {
        reader.end();
        this.#end(reason);
      },
    });
    const connection = createMessageConnection(reader, messageWriter(this.#process), SILENT);
    this.#connection = connection;
    connection.onError(() => undefined); // the end of the process says more
    connection.onRequest((method, params) => this.#answer(method, params as Json));
    connection.onNotification((method, params) => {
      for (const listener of this.#listeners) listener(method, params as Json);
    });
    connection.listen();
    const answer = await this.request('initialize', initializeParams(options.root, this.#server.options), {ms: START_MS, signal});
    this.#capabilities = isJsonObject(answer) && isJsonObject(answer['capabilities']) ? answer['capabilities'] : {};
    await this.notify('initialized', {});
  }

  get ended(): string | undefined {
    return this.#ended;
  }

  /** What it said it can do: `definitionProvider`, `renameProvider` … */
  can(provider: string): boolean {
    const value = this.#capabilities[provider];
    return value !== undefined && value !== null && value !== false;
  }

  onNotification(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws TIMEOUT after `ms`, CANCELLED, UNAVAILABLE when the server ended or said no. */
  async request(method: string, params: JsonObject, limits: WaitLimits): Promise<Json> {
    return await this.within(this.#live().sendRequest(method, params), method, limits);
  }

  /** What the server will say, or the reason why it does not: as for a request. Its timer keeps the process alive: an idle server does not. */
  async within<Said>(said: Promise<Said>, what: string, {ms, signal}: WaitLimits): Promise<Said> {
    const stopped = Promise.withResolvers<never>();
    const leave = onAbort(signal, () => stopped.reject(toFettleError(signal.reason)));
    this.#waiting.add(stopped.reject);
    try {
      const answer = await orLate(Promise.race([said, stopped.promise]), ms);
      if (answer === LATE) throw tooSlow(this.name, what, ms);
      return answer;
    } catch (error) {
      if (error instanceof FettleError) throw error;
      throw new FettleError({code: 'UNAVAILABLE', message: `${this.name} did not answer ${what}.`, cause: error});
    } finally {
      leave();
      this.#waiting.delete(stopped.reject);
    }
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    await this.#live().sendNotification(method, params);
  }

  /** Says goodbye as the protocol has it, then ends the process and everything that it started. */
  async close(): Promise<void> {
    if (this.#ended === undefined && this.#connection !== undefined) {
      await this.request('shutdown', {}, {ms: LEAVE_MS, signal: new AbortController().signal}).catch(() => undefined);
      await this.notify('exit', {}).catch(() => undefined);
    }
    this.#end('it was closed');
    await this.#process?.close();
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#connection?.dispose();
    for (const reject of this.#waiting) reject(gone(this.name, reason));
    this.#release();
  }

  #live(): MessageConnection {
    if (this.#connection === undefined || this.#ended !== undefined) throw gone(this.name, this.#ended ?? 'it was not started');
    return this.#connection;
  }

  /** What servers ask of an editor: settings are ours, edits by the server are refused. */
  #answer(method: string, params: Json): Json {
    if (method === 'workspace/configuration') {
      const items = isJsonObject(params) && Array.isArray(params['items']) ? params['items'] : [];
      return items.map(() => this.#server.options ?? null);
    }
    if (method === 'workspace/applyEdit') return {applied: false, failureReason: 'edits are made by the client alone'};
    return null;
  }
}

const START_MS = 20_000;
const LEAVE_MS = 1000;
/** Nothing of a server goes to the screen. */
const SILENT = {error: () => undefined, warn: () => undefined, info: () => undefined, log: () => undefined};

function initializeParams(root: string, options: JsonObject | undefined): JsonObject {
  const uri = pathToFileURL(root).href;
  return {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{uri, name: 'workspace'}],
    initializationOptions: options ?? {},
    capabilities: {
      general: {positionEncodings: ['utf-16']},
      window: {workDoneProgress: false},
      workspace: {configuration: true, workspaceFolders: true, workspaceEdit: {documentChanges: true}, didChangeWatchedFiles: {}},
      textDocument: {
        synchronization: {didSave: true},
        publishDiagnostics: {versionSupport: true},
        diagnostic: {},
        definition: {linkSupport: true},
        references: {},
        rename: {prepareSupport: false},
      },
    },
  };
}

function gone(name: string, reason: string): FettleError {
  return new FettleError({code: 'UNAVAILABLE', message: `The language server ${name} is gone: ${reason}.`});
}

function tooSlow(name: string, method: string, ms: number): FettleError {
  return new FettleError({code: 'TIMEOUT', message: `${name} did not answer ${method} within ${Math.ceil(ms / 100) / 10} s.`});
}
