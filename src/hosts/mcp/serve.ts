import {join} from 'node:path';
import type {Readable, Writable} from 'node:stream';
import type {SessionSettings} from '../../sdk/load-settings.ts';
import {openTools} from '../../sdk/open-tools.ts';
import {createOneAtATime} from '../../tools/one-at-a-time.ts';
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
  const tools = await openTools({session, spoolDir: join(session.paths.stateDir, 'spool', 'mcp')});
  const server = createToolServer({dispatcher: tools.dispatcher, root: tools.workspace.root, changing: createOneAtATime()});
  for (const notice of tools.notices) note(notice);
  try {
    await ('port' in way ? overHttp(server, way, signal) : overStdio(server, way, signal));
    await server.settled();
  } finally {
    for (const {pid, command, outputFile} of await tools.endJobs()) note(`Kept running: pid ${pid}: ${command} (output: ${outputFile})`);
  }
}

async function overStdio({factory}: ToolServer, {input, output}: StdioWay, signal: AbortSignal): Promise<void> {
  const {serveStdio, StdioServerTransport} = await import('@modelcontextprotocol/server/stdio');
  const handle = serveStdio(factory, {transport: new StdioServerTransport(input, output)});
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    output.once('error', () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
  await handle.close();
}

async function overHttp({factory}: ToolServer, {port, token, onListening}: HttpWay, signal: AbortSignal): Promise<void> {
  const {serveHttp} = await import('./serve-http.ts');
  const host = await serveHttp({factory, port, token});
  onListening(host.url);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
  await host.close();
}
