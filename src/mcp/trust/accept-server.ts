import type {McpServer} from '../../config/settings.ts';
import type {ServerPlace} from '../connection/server-place.ts';
import type {ServerChange} from './review-server.ts';
import {startServer, type Accepts} from '../connection/start-server.ts';

/**
 * Starts a server, and keeps it as it is now as what a person has accepted, as far as `accepts` says yes. Returns what was not accepted.
 * Throws what keeps the server from working.
 */
export async function acceptServer(
  {server, place, accepts}: {readonly server: McpServer; readonly place: ServerPlace; readonly accepts: Accepts},
  signal: AbortSignal,
): Promise<{readonly open: readonly ServerChange[]; readonly notices: readonly string[]}> {
  const started = await startServer({server, place, accepts, remembers: true}, signal);
  await started.connection?.close();
  return {open: started.changes, notices: started.connection === undefined ? [] : started.notices};
}
