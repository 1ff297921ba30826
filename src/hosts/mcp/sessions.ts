import {randomUUID} from 'node:crypto';
import {WebStandardStreamableHTTPServerTransport, type McpServerFactory} from '@modelcontextprotocol/server';

/** The sessions of clients of 2025-11-25 and before: each has a server of its own from `initialize` to the end. */
export interface Sessions {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** With one more, the session that was silent longest ends: its client gets 404 and begins a new one. */
const MAX_SESSIONS = 32;

export function createSessions(factory: McpServerFactory): Sessions {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const begin = async (request: Request): Promise<Response> => {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    const server = await factory({era: 'legacy', requestInfo: request});
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await transport.close(); // no `initialize`: the answer says so
    const [oldest] = open;
    if (open.size > MAX_SESSIONS && oldest !== undefined) {
      open.delete(oldest[0]);
      await oldest[1].close();
    }
    return response;
  };

  return {
    async fetch(request) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return await begin(request);
      const transport = open.get(id);
      if (transport === undefined) return lost();
      open.delete(id);
      open.set(id, transport);
      return await transport.handleRequest(request);
    },
    async close() {
      await Promise.all([...open.values()].map((transport) => transport.close()));
      open.clear();
    },
  };
}

function lost(): Response {
  return Response.json({jsonrpc: '2.0', error: {code: -32001, message: 'Session not found'}, id: null}, {status: 404});
}
