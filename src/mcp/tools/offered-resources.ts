import {cleanLine} from '../clean-text.ts';
import type {RunningServer} from '../connection/connection.ts';
import type {OfferedResource} from './offered-resource.ts';
import {isUsableUri} from './resource-list.ts';

/** Limit per server, since a person chooses from them. */
const MOST_OFFERED = 1000;

/** Lists what one server offers to read, over all pages; none if it has no resources. Throws the error if the server does not answer. */
export async function offeredResources({server, connection}: RunningServer, signal: AbortSignal): Promise<readonly OfferedResource[]> {
  if (!connection.offers.resources) return [];
  const {resources} = await connection.request(
    {doing: 'listing resources', send: (client, options) => client.listResources(undefined, options)},
    {signal, askUser: undefined, onProgress: () => undefined},
  );
  return resources
    .filter(({uri}) => isUsableUri(uri))
    .slice(0, MOST_OFFERED)
    .map(({uri, name, mimeType = ''}) => ({server: server.name, uri, name: cleanLine(name, 100), mimeType: cleanLine(mimeType, 80)}));
}
