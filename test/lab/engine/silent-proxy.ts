import {mkdtemp, rm} from 'node:fs/promises';
import {connect, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

/** Stands between an engine and its database. */
export interface SilentProxy {
  /** The address of the database by way of the proxy. */
  readonly url: string;
  /** From now on nothing comes through the connections that are open, and neither side is told: as where a machine or its network is gone. */
  silence(): void;
}

/** Forwards connections to the socket of a server; ended with the test. */
export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const folder = await mkdtemp('/tmp/fettle-px-');
  const target = join(decodeURIComponent(new URL(url).host), SOCKET);
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const forward = (from: Socket, to: Socket): void => {
    open.add(from);
    from.on('error', () => undefined);
    from.on('data', (chunk) => silent.has(from) || to.write(chunk));
    from.on('close', () => silent.has(from) || to.destroy());
  };
  const server = createServer((inner) => {
    const outer = connect(target);
    forward(inner, outer);
    forward(outer, inner);
  });
  await new Promise<void>((resolve) => server.listen(join(folder, SOCKET), resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await rm(folder, {recursive: true, force: true});
  });
  return {
    url: url.replace(new URL(url).host, encodeURIComponent(folder)),
    silence() {
      for (const socket of open) silent.add(socket);
    },
  };
}

const SOCKET = '.s.PGSQL.5432';
