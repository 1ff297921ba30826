import {toFettleError} from '../base/errors.ts';
import type {McpServer} from '../config/settings.ts';
import type {Tool} from '../tools/toolset.ts';
import {cleanLine} from './clean-text.ts';
import type {ServerPlace} from './connect.ts';
import {openConnection, type ServerConnection} from './connection.ts';
import {apiKey} from './http-transport.ts';
import {oauthServer} from './oauth/oauth-server.ts';
import {publishTools} from './publish-tools.ts';

/** The tools of all configured servers. `close` must be called: it ends their processes and sessions. */
export interface OpenedServers {
  /** In the order of the configuration, those of one server by name: the same bytes in every request. */
  readonly tools: readonly Tool[];
  /** One line for each server that could not be used, or only in part. */
  readonly notices: readonly string[];
  /** Values that must not be shown: keys and headers. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

const MAX_PARALLEL = 4;
/** Starts every server that is not disabled, some at the same time. One that fails costs its notice, never the others. */
export async function openServers(servers: readonly McpServer[], place: ServerPlace, signal: AbortSignal): Promise<OpenedServers> {
  const wanted = servers.filter((server) => server.disabled !== true);
  const opened: (OpenedServer | undefined)[] = [];
  const queue = [...wanted.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) opened[next[0]] = await openOne(next[1], place, signal);
  };
  await Promise.all(Array.from({length: MAX_PARALLEL}, worker));
  const secrets = await Promise.all(wanted.map((server) => secretsOf(server, place)));
  return {
    tools: opened.flatMap((one) => one?.tools ?? []),
    notices: opened.flatMap((one) => one?.notices ?? []),
    secrets: secrets.flat(),
    close: async () => void (await Promise.all(opened.map(async (one) => one?.connection?.close()))),
  };
}

interface OpenedServer {
  readonly connection: ServerConnection | undefined;
  readonly tools: readonly Tool[];
  readonly notices: readonly string[];
}

async function openOne(server: McpServer, place: ServerPlace, signal: AbortSignal): Promise<OpenedServer> {
  try {
    const connection = await openConnection({server, place}, signal);
    return {connection, ...publishTools(server, connection)};
  } catch (thrown) {
    const {message, hint} = toFettleError(thrown);
    return {
      connection: undefined,
      tools: [],
      notices: [`${cleanLine(message, 1200)} Its tools are not there.${hint === undefined ? '' : ` ${hint}`}`],
    };
  }
}

async function secretsOf(server: McpServer, place: ServerPlace): Promise<string[]> {
  const key = apiKey(server, place.env);
  return [...(key === undefined ? [] : [key]), ...Object.values(server.headers ?? {}), ...(await loginSecrets(server, place))];
}

async function loginSecrets(server: McpServer, place: ServerPlace): Promise<string[]> {
  if (server.auth !== 'oauth') return [];
  try {
    const {store, clientSecret} = oauthServer(server, place);
    const access = await store.access();
    const known = [clientSecret, access?.client.client_secret, access?.tokens.access_token, access?.tokens.refresh_token];
    return known.filter((secret) => secret !== undefined);
  } catch {
    return []; // its notice tells why it is not there
  }
}
