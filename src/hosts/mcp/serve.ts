import {join} from 'node:path';
import type {Readable, Writable} from 'node:stream';
import {newId} from '../../base/ids.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {sessionHooks} from '../../sdk/hooks/open-hooks.ts';
import type {SessionSettings} from '../../sdk/settings/session-settings.ts';
import {openTools} from '../../sdk/tools/open-tools.ts';
import {createOneAtATime} from '../../tools/mutex.ts';
import {createToolServer, type ToolServer} from './tool-server.ts';

export interface ServeOptions {
  readonly session: SessionSettings;
  readonly way: StdioWay | HttpWay;
  /** For people: one line of it, never on the way of the protocol. */
  readonly note: (line: string) => void;
}

export interface StdioWay {
  readonly input: Readable;
  /** Carries the protocol and nothing else. */
  readonly output: Writable;
}

export interface HttpWay {
  readonly port: number;
  readonly token: string;
  readonly onListening: (url: string) => void;
}

/** Serves the tools of a folder until the client is gone (stdio) or the signal aborts. */
export async function serve({session, way, note}: ServeOptions, signal: AbortSignal): Promise<void> {
  const [tools, found] = await Promise.all([
    openTools({session, spoolDir: join(session.paths.stateDir, 'spool', 'mcp')}),
    sessionHooks(session),
  ]);
  // Those around calls hold here, too: it is the same dispatcher.
  const hooks = found.start({tools, threadId: newId('mcp'), sessionFile: '', resumed: false, emit: (event) => noteHook(event, note)});
  const server = createToolServer({
    dispatcher: {...tools.dispatcher, ...hooks.stages},
    root: tools.workspace.root,
    changing: createOneAtATime(),
    compositeTools: session.settings.composite_tools_enabled,
  });
  for (const notice of [...tools.notices, ...found.notices]) note(notice);
  try {
    await ('port' in way ? overHttp(server, way, signal) : overStdio(server, way, signal));
    await server.settled();
  } finally {
    await hooks.plugin.close?.(undefined);
    for (const {pid, command, outputFile} of await tools.endJobs()) note(`Kept running: pid ${pid}: ${command} (output: ${outputFile})`);
  }
}

function noteHook(event: ThreadEvent, note: ServeOptions['note']): void {
  if (event.type === 'item.completed' && event.item.type === 'harness') note(event.item.message ?? event.item.event);
}

async function overStdio({factory}: ToolServer, {input, output}: StdioWay, signal: AbortSignal): Promise<void> {
  const {serveStdio, StdioServerTransport} = await import('@modelcontextprotocol/server/stdio');
  const handle = serveStdio(factory, {transport: new StdioServerTransport(input, output)});
  const ended = Promise.withResolvers<void>();
  for (const event of ['end', 'close', 'error']) input.once(event, () => ended.resolve());
  output.once('error', () => ended.resolve());
  const leave = onAbort(signal, ended.resolve);
  await ended.promise;
  leave();
  await handle.close();
}

async function overHttp({factory}: ToolServer, {port, token, onListening}: HttpWay, signal: AbortSignal): Promise<void> {
  const {serveHttp} = await import('./serve-http.ts');
  const host = await serveHttp({factory, port, token});
  onListening(host.url);
  await new Promise<void>((resolve) => void onAbort(signal, resolve));
  await host.close();
}
