import type {McpServer} from '../../config/settings.ts';
import type {Tool} from '../../tools/toolset.ts';
import type {ServerConnection} from '../connection/connection.ts';
import type {ServerPlace} from '../connection/server-place.ts';
import {listPrompts} from '../tools/prompts.ts';
import type {ServerChange} from './review-server.ts';
import {startServer} from '../connection/start-server.ts';
import type {ServerPrompt} from '../tools/prompt-arguments.ts';

export interface TestedServer {
  readonly about: ServerConnection['about'];
  readonly offers: ServerConnection['offers'];
  /** Also those that would be withheld. */
  readonly tools: readonly Tool[];
  readonly prompts: readonly ServerPrompt[];
  readonly notices: readonly string[];
}

export interface Tested {
  /** undefined: its definition is not the one that was accepted, and it was not started. */
  readonly tested: TestedServer | undefined;
  /** Differences from the accepted state. */
  readonly changes: readonly ServerChange[];
}

/** Starts a server, lists what it would publish, and ends it; accepts nothing. Throws the error if it does not work. */
export async function testConnection(server: McpServer, place: ServerPlace, signal: AbortSignal): Promise<Tested> {
  const started = await startServer({server, place, accepts: undefined, remembers: false}, signal);
  const {connection, changes} = started;
  if (connection === undefined) return {tested: undefined, changes};
  try {
    const prompts = await listPrompts({server, connection}, signal);
    const tools = [...started.tools, ...started.withheld].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return {tested: {about: connection.about, offers: connection.offers, tools, prompts, notices: started.notices}, changes};
  } finally {
    await connection.close();
  }
}
