import {execFileSync, spawnSync} from 'node:child_process';
import {chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {existsSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';

/** A podman with storage of its own, and the variables with which it is called. */
export interface OwnPodman {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs it, and returns what it prints. */
  call(...args: readonly string[]): string;
  close(): Promise<void>;
}

/** The base image of the tests: programs of this machine with their libraries, 14 MB, by the name of a well-known image. */
export const BASE = 'docker.io/library/debian:bookworm';

const PROGRAMS = 'bash sh cat ls mkdir rm cp mv ln sleep grep touch env chmod id ps head tail sed find tr wc date kill setsid'.split(' ');

/**
 * Opens a podman that needs neither control groups nor a network, nor anything but root: its storage is below a folder that is removed at the end. Returns the
 * reason if it does not run here.
 */
export async function openPodman(): Promise<OwnPodman | string> {
  if (process.getuid?.() !== 0) return 'not root';
  const real = PATH.map((folder) => join(folder, 'podman')).find((file) => existsSync(file));
  if (real === undefined) return 'podman is not on PATH';
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'fettle-podman-')));
  const env = await settingsIn(folder, real);
  const close = async (): Promise<void> => {
    spawnSync('podman', ['rm', '--all', '--force', '--time', '0'], {env});
    await rm(folder, {recursive: true, force: true});
  };
  const root = join(folder, 'base');
  await makeBase(root);
  const line = `tar -C '${root}' -c . | podman import --quiet - ${BASE} && podman run --rm --network none ${BASE} bash -c 'exit 0'`;
  const tried = spawnSync('bash', ['-o', 'pipefail', '-c', line], {env, encoding: 'utf8'});
  if (tried.status === 0) return {env, call: (...args) => execFileSync('podman', [...args], {env, encoding: 'utf8'}), close};
  await close();
  return `podman does not run here: ${tried.stderr.trim().split('\n').at(-1) ?? ''}`;
}

const PATH = (process.env['PATH'] ?? '').split(':');

/** Where this is a container itself, control groups can be neither delegated nor mounted as they are. */
const SHIM = `#!/bin/sh
exec unshare -m sh -c 'umount -R /sys/fs/cgroup 2>/dev/null; mount -t cgroup2 none /sys/fs/cgroup; exec "$0" "$@"' REAL "$@"
`;

async function settingsIn(folder: string, real: string): Promise<OwnPodman['env']> {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/podman'), SHIM.replace('REAL', real));
  await chmod(join(folder, 'bin/podman'), 0o755);
  await writeFile(
    join(folder, 'containers.conf'),
    '[containers]\ncgroups="disabled"\nnetns="host"\ndefault_ulimits=["nofile=20000:20000","nproc=1000:1000"]\n[engine]\ncgroup_manager="cgroupfs"\nevents_logger="file"\nruntime="crun"\n',
  );
  await writeFile(join(folder, 'storage.conf'), `[storage]\ndriver="vfs"\nrunroot="${folder}/run"\ngraphroot="${folder}/graph"\n`);
  // A docker without its service would be asked first.
  const others = PATH.filter((one) => !existsSync(join(one, 'docker')));
  return {
    ...process.env,
    PATH: [join(folder, 'bin'), ...others, '/usr/bin', '/bin'].join(':'),
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    BUILDAH_ISOLATION: 'chroot',
  };
}

async function makeBase(root: string): Promise<void> {
  for (const name of ['bin', 'etc', 'tmp', 'root', 'opt', 'proc', 'sys', 'dev', 'run', 'var/tmp', 'usr/bin'])
    await mkdir(join(root, name), {recursive: true});
  await chmod(join(root, 'tmp'), 0o1777);
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/bash\nagent:x:1000:1000::/tmp:/bin/bash\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nagent:x:1000:\n');
  const files = PROGRAMS.map((name) => PATH.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? '').filter(
    (file) => file !== '',
  );
  for (const file of files) await cp(realpathSync(file), join(root, 'bin', basename(file)));
  for (const library of new Set([...files, process.execPath].flatMap(librariesOf))) {
    await mkdir(join(root, dirname(library)), {recursive: true});
    await cp(realpathSync(library), join(root, library));
  }
}

function librariesOf(file: string): readonly string[] {
  const {stdout} = spawnSync('ldd', [file], {encoding: 'utf8'});
  return [...stdout.matchAll(/(?:=> |^\s+)(\/\S+)/gm)].flatMap(([, path]) => path ?? []);
}
