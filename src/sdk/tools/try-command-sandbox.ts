import {access, mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {createExecEnvironment} from '../../exec/create-environment.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {openCommandSandbox} from './open-command-sandbox.ts';

export interface TriedSandbox {
  readonly name: string;
  /** Restrictions that a command could bypass; empty if the sandbox works. */
  readonly holes: readonly string[];
}

/** Runs commands that try to get out, in a scratch workspace with the sandbox of full-auto. Throws UNAVAILABLE without a sandbox. */
export async function tryCommandSandbox(session: SessionSettings): Promise<TriedSandbox> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'fettle-doctor-')));
  try {
    const [root, outside] = [join(folder, 'work'), join(folder, 'outside')];
    await Promise.all([mkdir(root), mkdir(outside)]);
    const settings = {
      ...session.settings,
      sandbox: {...session.settings.sandbox, profile: 'workspace-write' as const, network: false, allowed_domains: []},
    };
    const sandbox = await openCommandSandbox({session: {...session, settings}, root, spoolDir: folder, readOnly: false});
    if (sandbox === undefined) throw new FettleError({code: 'INTERNAL', message: 'There is no sandbox to test.'});
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const exec = createExecEnvironment({cwd: root, spoolDir: folder, env: session.env, sandbox});
      const shell = attempts(outside, port);
      const result = await exec.run({shell, timeoutMs: 10_000, capture: {headBytes: 4096, tailBytes: 4096}}, AbortSignal.timeout(12_000));
      const said = result.stdout.head.trim().split('\n');
      if (said.at(-1) !== 'tried') {
        throw new FettleError({
          code: 'UNAVAILABLE',
          message: `A command could not be run in it: ${result.stderr.head.trim().split('\n')[0]}`,
        });
      }
      const wrote = await access(join(outside, 'file')).then(
        () => ['a file outside was written'],
        () => [],
      );
      return {name: sandbox.name, holes: [...new Set([...said.slice(0, -1), ...wrote])]};
    } finally {
      server.close();
      await sandbox.close();
    }
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** Each line prints a message if it succeeds. The workspace itself must be writable. */
function attempts(outside: string, port: number): string {
  return `
exec 2>/dev/null
(echo x > inside) || echo 'the workspace cannot be written'
(echo x > '${outside}/file') && echo 'a file outside was written'
(echo x > .mcp.json) && echo 'a protected file was written'
(mkdir -p .git/hooks && echo x > .git/hooks/pre-commit) && echo 'a hook of git was written'
(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo 'a server of this machine was reached'
[ -S /run/docker.sock ] && echo 'the socket of docker is seen'
echo tried`;
}
