import type {Transport} from '@modelcontextprotocol/client';
import {isJsonObject} from '../base/json.ts';

/**
 * A tool whose schema of arguments is no object (`null`, a text) is left out of what the server lists: the client would refuse the whole
 * list for it, and with it all tools that are in order. Gives the names of those that were left out, as they come. A message that `accepts`
 * refuses reaches nobody.
 */
export function leaveOutUnusable(transport: Transport, accepts: (message: unknown) => boolean = () => true): readonly string[] {
  const leftOut: string[] = [];
  let take: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => take,
    set(given: Transport['onmessage']) {
      take =
        given === undefined
          ? undefined
          : (message, extra) => {
              if (accepts(message)) given(usable(message, leftOut), extra);
            };
    },
  });
  return leftOut;
}

/** Only answers to `tools/list` have tools in their result. */
function usable<T>(message: T, leftOut: string[]): T {
  if (!isJsonObject(message) || !isJsonObject(message['result']) || !Array.isArray(message['result']['tools'])) return message;
  const {result} = message;
  const tools = message['result']['tools'].filter((tool) => {
    const isUsable = !isJsonObject(tool) || isJsonObject(tool['inputSchema']);
    if (!isUsable) leftOut.push(typeof tool['name'] === 'string' ? tool['name'] : 'without a name');
    return isUsable;
  });
  return {...message, result: {...result, tools}};
}
