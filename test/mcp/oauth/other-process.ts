import type {McpServer} from '../../../src/config/settings.ts';
import {authorizedFetch} from '../../../src/mcp/oauth/authorized-fetch.ts';
import {oauthServer} from '../../../src/mcp/oauth/oauth-server.ts';

/** A process of its own that uses a login: `fetch` prints the status of one request; `hold` keeps the others waiting until it is ended. */
const [way = '', url = '', stateDir = ''] = process.argv.slice(2);
const server: McpServer = {name: 'web', transport: 'http', url, auth: 'oauth'};
const authorized = oauthServer(server, {env: {}, stateDir});

if (way === 'hold') {
  await authorized.store.renew(async () => {
    process.stdout.write('held');
    setInterval(() => undefined, 60_000);
    return await new Promise<undefined>(() => undefined);
  });
} else {
  const response = await authorizedFetch(authorized)(url, {method: 'POST'}).catch((thrown: unknown) => String(thrown));
  process.stdout.write(typeof response === 'string' ? response : String(response.status));
}
