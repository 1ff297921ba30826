import {isJsonObject, parseJson} from '../../base/json.ts';
import type {SessionSettings} from '../../sdk/settings/session-settings.ts';
import {listedWithServers} from '../../sdk/tools/add-servers.ts';
import {type LoadedToolset, loadToolset} from '../../sdk/tools/session-toolset.ts';
import {listenForInterrupts} from './interrupt.ts';
import type {Io} from './io.ts';

/** The toolset with the tools of MCP servers, of all or some of them; prints their notices. */
export async function toolsetFor(io: Io, session: SessionSettings, only?: readonly string[]): Promise<Omit<LoadedToolset, 'notices'>> {
  const loaded = await loadToolset(session);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const listed = await listedWithServers(loaded.toolset, session, {signal: interrupts.signal(), only, onWait: io.note});
    for (const notice of [...loaded.notices, ...listed.notices]) io.note(notice);
    return {...loaded, toolset: listed.toolset};
  } finally {
    interrupts.dispose();
  }
}

/** The servers that a call needs, by their names: a server takes its time to start, and starting it runs a program. */
export function serversOf({settings}: SessionSettings, {name, json}: {readonly name: string; readonly json: string}): readonly string[] {
  const names = settings.mcp_servers.map((server) => server.name);
  if (name === 'mcp_resources') {
    const input = parseJson(json);
    const named = names.filter((server) => isJsonObject(input) && [input['server'], input['server_name']].includes(server));
    return named.length > 0 ? named : names;
  }
  return names
    .filter((server) => name.startsWith(`mcp__${server}__`))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 1);
}
