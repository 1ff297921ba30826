import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {FettleError} from '../../../base/errors.ts';
import {createFolderCache} from '../guards/tree-cache.ts';
import {gitGuards} from '../guards/git-guards.ts';
import {autoloadedEntries} from '../guards/autoloaded-entries.ts';
import {restoreLinks} from '../guards/restore-links.ts';
import {sandboxVariables} from '../sandbox-variables.ts';
import type {Sandbox, SandboxRules} from '../sandbox.ts';
import {seatbeltProfile, type ProfileFacts} from './seatbelt-profile.ts';
import {LISTENERS, openEgressProxy} from '../network/egress-proxy.ts';

const PROGRAM = '/usr/bin/sandbox-exec';

/** Commands under a profile of the kernel of macOS. Tries it out; throws UNAVAILABLE with the reason. */
export async function openSeatbelt(rules: SandboxRules): Promise<Sandbox> {
  const parent = join(rules.stateDir, 'sandbox-tmp');
  await mkdir(parent, {recursive: true, mode: 0o700});
  const scratchDir = await realpath(await mkdtemp(join(parent, `${process.pid}-`)));
  const listeners =
    rules.network.open || rules.network.domains.length === 0 ? [] : await Promise.all(Array.from({length: LISTENERS}, openListener));
  const egressProxy = openEgressProxy({enter: [], listeners, close: () => undefined}, rules.network);
  const close = async (): Promise<void> => {
    egressProxy.close();
    for (const {server} of listeners) server.close();
    await rm(scratchDir, {recursive: true, force: true});
  };
  const facts: Omit<ProfileFacts, 'locked'> = {...rules, scratchDir, ports: listeners.map(({port}) => port)};
  try {
    await promisify(execFile)(PROGRAM, ['-p', seatbeltProfile({...facts, locked: []}), '/usr/bin/true'], {timeout: 10_000});
  } catch (cause) {
    await close();
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: 'Commands cannot be run in a sandbox: sandbox-exec does not work here.',
      hint: 'Use another mode, or --no-sandbox on a disposable machine.',
      cause,
    });
  }
  const cache = createFolderCache(rules.root, (folder, name) => rules.autoloaded(`${folder}/${name}`));
  let before: readonly string[] | undefined;
  return {
    name: 'seatbelt',
    rules,
    scratchDir,
    async wrap({program, args}, {env}) {
      const git = gitGuards(rules.root);
      const found = autoloadedEntries({root: rules.root, tree: cache.look(), autoloaded: rules.autoloaded, pinned: git.pinned, before});
      before ??= found.locked;
      const locked = [
        ...found.locked,
        ...found.links.map(({path}) => path),
        ...git.locked,
        ...rules.reserved.map((name) => name.replace(/\/$/, '')),
      ];
      return {
        program: PROGRAM,
        args: ['-p', seatbeltProfile({...facts, locked}), program, ...args],
        env: {...sandboxVariables(env, {scratchDir, hasNetwork: rules.network.open}), ...egressProxy.env},
        release: async () => restoreLinks(rules.root, found.links),
      };
    },
    close,
  };
}

async function openListener(): Promise<{port: number; server: Server}> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {server, port: typeof address === 'object' && address !== null ? address.port : 0};
}
