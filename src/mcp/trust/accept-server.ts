import type {McpServer} from '../../config/settings.ts';
import type {ServerPlace} from '../connection/server-place.ts';
import type {ServerChange} from './review-server.ts';
import {startServer, type Accepts} from '../connection/start-server.ts';

/**
 * Starts a server, and stores its current state as accepted by a person, as far as `accepts` agrees. Returns the parts that were not accepted.
 * Throws the error that keeps the server from working.
 */
export async function acceptServer(
  {server, place, accepts}: {readonly server: McpServer; readonly place: ServerPlace; readonly accepts: Accepts},
  signal: AbortSignal,
): Promise<{readonly open: readonly ServerChange[]; readonly notices: readonly string[]}> {
  const started = await startServer({server, place, accepts, remembers: true}, signal);
  await started.connection?.close();
  return {open: started.changes, notices: started.connection === undefined ? [] : started.notices};
}
