import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync} from 'node:fs';
import {chown, mkdtemp, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {systemErrorCode} from '../../../src/base/errors.ts';

/** PostgreSQL of Debian, or of the PATH; undefined where there is none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** A server that only this user can reach, by a socket in a folder of its own. */
export interface PostgresServer {
  /** Makes an empty database, and returns its address. */
  newDatabase(): Promise<string>;
  /** Runs SQL as psql does; returns its output. */
  sql(text: string, url?: string): string;
  /** Kills it with the processes of its connections: no statement is answered after it. */
  kill(): void;
  /** Stops it and all its processes; `false`: they go on. */
  freeze(isFrozen: boolean): void;
  /** Starts it again after it was killed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(bin: string): Promise<PostgresServer> {
  // Below /tmp, since the path of a socket has at most 107 bytes.
  const folder = await mkdtemp('/tmp/fettle-pg-');
  const owner = process.getuid?.() === 0 ? UNPRIVILEGED : {};
  if (owner === UNPRIVILEGED) await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  const data = join(folder, 'data');
  const environment = {PATH: process.env['PATH'], LC_ALL: 'C', HOME: folder, TMPDIR: folder};
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'fettle', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...owner,
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const settings = ['fsync=off', 'shared_buffers=32MB', 'max_connections=200', 'listen_addresses=', `unix_socket_directories=${folder}`];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...owner,
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child);
    return child;
  };
  let child = await start();
  const address = (name: string): string => `postgres://fettle@${encodeURIComponent(folder)}/${name}`;
  const sql = (text: string, url = address('postgres')): string => {
    const args = ['-h', folder, '-U', 'fettle', '-d', new URL(url).pathname.slice(1), '-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', text];
    const {status, stdout, stderr} = spawnSync(join(bin, 'psql'), args, {env: environment, encoding: 'utf8'});
    if (status !== 0) throw new Error(`psql: ${stderr}`);
    return stdout.trim();
  };
  let databases = 0;
  return {
    async newDatabase() {
      const name = `d${++databases}`;
      sql(`CREATE DATABASE ${name}`);
      return address(name);
    },
    sql,
    kill() {
      child.kill('SIGSTOP');
      signalEach(childrenOf(child.pid ?? 0), 'SIGKILL');
      child.kill('SIGKILL');
    },
    freeze(isFrozen) {
      signalEach([child.pid ?? 0, ...childrenOf(child.pid ?? 0)], isFrozen ? 'SIGSTOP' : 'SIGCONT');
    },
    async restart() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      child = await again(start);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGCONT');
        child.kill('SIGQUIT');
        await exited;
      }
      await rm(folder, {recursive: true, force: true});
    },
  };
}

/** The processes of a server that was killed die a moment after it, and until then it cannot start. */
async function again(start: () => Promise<ChildProcess>): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (thrown) {
      if (attempt === 50) throw thrown;
      await delay(100);
    }
  }
}

/** Each connection is a process of its own. */
function childrenOf(pid: number): readonly number[] {
  const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], {encoding: 'utf8'}).stdout;
  return found.split(/\s+/).filter(Boolean).map(Number);
}

/** Sends a signal to processes; those that ended since they were listed need none. */
function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (systemErrorCode(error) !== 'ESRCH') throw error;
    }
  }
}

/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = {uid: 65_534, gid: 65_534};

async function ready(child: ChildProcess): Promise<void> {
  const log: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`PostgreSQL did not start: ${log.join('')}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      if (log.length < 50) log.push(text);
      if (text.includes('ready to accept connections')) resolve();
    });
  });
  child.removeAllListeners('exit');
}
