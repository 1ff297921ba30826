import type {McpServer} from '../config/settings.ts';
import type {Tool} from '../tools/toolset.ts';
import type {ServerPlace} from './connect.ts';
import {openConnection, type ServerConnection} from './connection.ts';
import {publishTools} from './publish-tools.ts';

export interface TestedServer {
  readonly about: ServerConnection['about'];
  readonly tools: readonly Tool[];
  readonly notices: readonly string[];
}

/** Starts a server, lists what it would publish, and ends it. Throws what keeps it from working. */
export async function testConnection(server: McpServer, place: ServerPlace, signal: AbortSignal): Promise<TestedServer> {
  const connection = await openConnection({server, place}, signal);
  try {
    return {about: connection.about, ...publishTools(server, connection)};
  } finally {
    await connection.close();
  }
}
