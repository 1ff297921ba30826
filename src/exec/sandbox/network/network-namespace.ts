import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, openSync} from 'node:fs';
import type {Server} from 'node:net';
import {text} from 'node:stream/consumers';
import {FettleError} from '../../../base/errors.ts';

/**
 * A network of its own for all commands of a session: nothing but a loopback, on which one command can reach the server that another one
 * has started. It is held by its descriptors; no process lives in it but the commands.
 */
export interface NetworkNamespace {
  /** Prefix of a command line that runs it in the namespace. */
  readonly enter: readonly string[];
  /** Listening in here, served by this process; none if none were wanted. */
  readonly listeners: readonly Listener[];
  close(): void;
}

interface Listener {
  readonly port: number;
  readonly server: Server;
}

interface NamespaceOptions {
  /** Absolute paths. */
  readonly bwrap: string;
  readonly nsenter: string;
  readonly listeners: number;
}

const TIMEOUT_MS = 10_000;

/** Throws UNAVAILABLE with the error of the system. */
export async function openNetworkNamespace({bwrap, nsenter, listeners}: NamespaceOptions): Promise<NetworkNamespace> {
  const inside = listeners === 0 ? ['/bin/sh', '-c', 'echo; read -r _'] : [process.execPath, '-e', LISTENER_PROGRAM, String(listeners)];
  const holder = spawn(
    bwrap,
    ['--unshare-user', '--unshare-net', '--dev-bind', '/', '/', '--die-with-parent', '--info-fd', '3', '--', ...inside],
    {
      // A variable names its channel to the program inside, which gets nothing else of ours.
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', listeners === 0 ? 'ignore' : 'ipc'],
      env: {PATH: '/usr/bin:/bin'},
      signal: AbortSignal.timeout(TIMEOUT_MS),
      killSignal: 'SIGKILL',
      cwd: '/',
    },
  );
  const failed = failureOf(holder);
  const opened: Server[] = [];
  try {
    const [pid, made] = await Promise.race([Promise.all([childPid(holder), listenersReady(holder, listeners, opened)]), failed]);
    const user = openSync(`/proc/${pid}/ns/user`, 'r');
    const net = openSync(`/proc/${pid}/ns/net`, 'r');
    const own = `/proc/${process.pid}/fd`;
    return {
      enter: [nsenter, '--preserve-credentials', `--user=${own}/${user}`, `--net=${own}/${net}`, '--'],
      listeners: made,
      close() {
        for (const server of opened) server.close();
        closeSync(user);
        closeSync(net);
      },
    };
  } catch (error) {
    for (const server of opened) server.close();
    throw error;
  } finally {
    holder.kill('SIGKILL');
  }
}

/** Opens the listeners in its namespace, hands them over, and waits to be ended. */
const LISTENER_PROGRAM = `
const net = process.getBuiltinModule('node:net');
process.on('disconnect', () => process.exit());
for (let left = Number(process.argv[1]); left > 0; left -= 1) {
  const server = net.createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1', () => process.send({port: server.address().port}, server));
}
`;

async function childPid({stdio}: ChildProcess): Promise<number> {
  const info = stdio[3];
  if (info === null || info === undefined || !('readable' in info)) throw new Error('bwrap has no information channel.');
  const found = /"child-pid": *(\d+)/.exec(await text(info));
  return Number(found?.[1] ?? NaN);
}

async function listenersReady(holder: ChildProcess, listeners: number, opened: Server[]): Promise<Listener[]> {
  if (listeners === 0) {
    if (holder.stdout !== null) await once(holder.stdout, 'data');
    return [];
  }
  const made: Listener[] = [];
  const all = Promise.withResolvers<Listener[]>();
  holder.on('message', (message, handle) => {
    const port = typeof message === 'object' && message !== null && 'port' in message ? Number(message.port) : NaN;
    const server = handle as Server; // the keeper is ours, and sends nothing else
    opened.push(server);
    made.push({port, server});
    if (made.length === listeners) all.resolve(made);
  });
  return await all.promise;
}

/** Never resolves; rejects when it ends. It is ended when nothing needs it any longer. */
async function failureOf(holder: ChildProcess): Promise<never> {
  const said = holder.stderr === null ? '' : text(holder.stderr).catch(() => '');
  await once(holder, 'exit').catch(() => undefined);
  const reason = (await said).trim().split('\n').at(-1) ?? '';
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: `No network namespace could be created: ${reason === '' ? 'bwrap ended' : reason}.`,
  });
}
