import {basename} from 'node:path';
import {pathToFileURL} from 'node:url';
import {
  Client,
  SdkError,
  SdkErrorCode,
  type ElicitRequest,
  type ElicitResult,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type Tool,
} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';
import {createDeadline} from '../../base/waiting/deadline.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import {openTransport} from './open-transport.ts';
import {authRefusal, serverError} from './server-error.ts';
import {silenceSdkWarnings} from './silence-sdk-warnings.ts';
import {configuredSecrets} from './server-secrets.ts';
import type {UnusableTool} from '../tools/drop-unusable-tools.ts';
import type {ServerPlace} from './server-place.ts';

export interface ConnectRequest {
  readonly server: McpServer;
  readonly place: ServerPlace;
  readonly onElicit: (params: ElicitRequest['params']) => Promise<ElicitResult>;
}

/** One living connection, its tools listed. */
export interface LiveServer {
  readonly client: Client;
  readonly tools: readonly Tool[];
  /** Listed tools that nobody could call. */
  readonly leftOut: readonly UnusableTool[];
  /** Returns why the connection is over; undefined while it is open. */
  ended(): string | undefined;
  stderr(): string;
  close(): Promise<void>;
}

/** Seconds until a server without a limit of its own is given up. */
export const STARTUP_S = 10;
const MAX_PAGES = 20;
/** Most tools that a server may list; nobody could review more. */
const MAX_LISTED = 5000;

/**
 * Connects and lists the tools within `startup_timeout_s`. First the era of 2026-07-28; if a server does
 * anything else on `server/discover` (another answer, silence, its end), it may be an older one, and
 * `initialize` is tried.
 */
export async function connectServer(request: ConnectRequest, signal: AbortSignal): Promise<LiveServer> {
  const {server} = request;
  const ms = (server.startup_timeout_s ?? STARTUP_S) * 1000;
  const late = createDeadline({totalMs: ms});
  const limit = AbortSignal.any([signal, late.signal]);
  try {
    const modern = await attempt(request, {limit, ms, legacy: false});
    if (!('mayBeOld' in modern)) return modern;
    const old = await attempt(request, {limit, ms, legacy: true});
    if ('mayBeOld' in old) throw old.mayBeOld;
    return old;
  } catch (thrown) {
    if (!late.signal.aborted || signal.aborted) throw thrown;
    const seconds = `${ms / 1000} s`;
    const hint = 'Raise `startup_timeout_s` where it only needs longer.';
    throw new FettleError({code: 'TIMEOUT', message: `MCP server ${server.name}: no answer within ${seconds}.`, hint, cause: thrown});
  } finally {
    late.end();
  }
}

interface Attempt {
  readonly limit: AbortSignal;
  readonly ms: number;
  readonly legacy: boolean;
}

async function attempt(request: ConnectRequest, {limit, ms, legacy}: Attempt): Promise<LiveServer | {readonly mayBeOld: FettleError}> {
  const {server, place} = request;
  const {transport, leftOut, ended, stderr, leave} = openTransport(server, place);
  const client = createClient(request, ms);
  let closed: string | undefined;
  client.onclose = () => {
    closed ??= ended() ?? 'the connection was closed';
  };
  const close = async (): Promise<void> => {
    await leave();
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await orAbort(client.connect(transport, {timeout: ms, signal: limit, ...(legacy ? {prior: {kind: 'legacy'}} : {})}), limit);
    const {tools} = await orAbort(client.listTools(undefined, {timeout: ms, signal: limit}), limit);
    if (tools.length > MAX_LISTED) throw tooMany(tools.length);
    return {client, tools, leftOut, ended: () => closed, stderr, close};
  } catch (thrown) {
    await close();
    const why = ended() === 'it was closed' ? '' : (ended() ?? '');
    const error = serverError(why === '' ? thrown : new FettleError({code: 'UNAVAILABLE', message: why, cause: thrown}), {
      server: server.name,
      doing: 'starting',
      stderr: stderr(),
      secrets: configuredSecrets(server, place.env),
    });
    if (!legacy && !limit.aborted && isNoModernAnswer(thrown)) return {mayBeOld: error};
    throw error;
  }
}

function createClient({server, onElicit, place}: ConnectRequest, ms: number): Client {
  silenceSdkWarnings();
  // The one folder that is worked in; who listens on an address has no business with names of folders here.
  const hasRoots = server.transport === 'stdio' && server.roots !== false;
  const client = new Client(
    {name: 'fettle', version: place.version},
    {
      capabilities: {elicitation: {form: {}, url: {}}, ...(hasRoots ? {roots: {}} : {})},
      // Less than half of the time: the other half is for `initialize`.
      versionNegotiation: {mode: 'auto', probe: {timeoutMs: Math.ceil(ms * 0.4)}},
      jsonSchemaValidator: NO_VALIDATOR,
      listMaxPages: MAX_PAGES,
    },
  );
  client.setRequestHandler('elicitation/create', ({params}) => onElicit(params));
  if (hasRoots) {
    client.setRequestHandler('roots/list', () => ({roots: [{uri: pathToFileURL(place.cwd).href, name: basename(place.cwd)}]}));
  }
  client.onerror = () => undefined; // stray messages; onclose reports the end of the connection
  return client;
}

/** The client would turn the schemas of all tools into code before the first call; `checkOutput` compares results within bounds. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({valid: true, data: input as T, errorMessage: undefined});
  },
};

function tooMany(count: number): FettleError {
  const hint = 'Ask who runs the server for a way to choose among its tools.';
  return new FettleError({code: 'TOO_LARGE', message: `it lists ${count} tools; at most ${MAX_LISTED} are taken.`, hint});
}

function isNoModernAnswer(thrown: unknown): boolean {
  return (
    authRefusal(thrown) === undefined &&
    thrown instanceof SdkError &&
    (thrown.code === SdkErrorCode.EraNegotiationFailed || thrown.code === SdkErrorCode.RequestTimeout)
  );
}
