import type {Variables} from '../../exec/variables/child-environment.ts';

/** Shown to a container at another path, read-only. */
export interface ContainerMount {
  /** A file or folder, absolute. */
  readonly from: string;
  readonly at: string;
}

export interface ContainerSpec {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Its id, so that a name which moves changes nothing during a run. */
  readonly image: string;
  readonly mounts: readonly ContainerMount[];
  /** False: none but a loopback of its own. */
  readonly network: boolean;
  /** Processors. */
  readonly cpus?: number | undefined;
  /** As the engines write it: `2048m`. */
  readonly memory?: string | undefined;
}

/**
 * Arguments that start a container which does nothing: every program of the rollout runs by `exec`. The first process is a shell that waits, since a shell
 * also waits for processes whose parent has ended.
 */
export function runArguments({name, labels, image, mounts, network, cpus, memory}: ContainerSpec): string[] {
  const fixed = ['run', '--detach', '--pull', 'never', '--name', name];
  // Folders of this machine have no label of SELinux that a container may read.
  const unlabelled = ['--security-opt', 'label=disable'];
  const waiting = ['--entrypoint', 'sh', image, '-c', 'while :; do sleep 1000; done'];
  return [
    ...fixed,
    ...Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]),
    ...(network ? [] : ['--network', 'none']),
    ...(cpus === undefined ? [] : ['--cpus', String(cpus)]),
    ...(memory === undefined ? [] : ['--memory', memory]),
    ...unlabelled,
    ...mounts.flatMap(mountArguments),
    ...waiting,
  ];
}

/** Arguments that make a container which never runs, for its files. */
export function createArguments({name, labels, image}: Pick<ContainerSpec, 'name' | 'labels' | 'image'>): string[] {
  const labelled = Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]);
  return ['create', '--pull', 'never', '--network', 'none', '--name', name, ...labelled, '--entrypoint', 'sh', image];
}

export function mountArguments({from, at}: ContainerMount): string[] {
  return ['--mount', `type=bind,source=${from},destination=${at},readonly`];
}

export interface ExecSpec {
  readonly container: string;
  readonly command: readonly string[];
  /** Absolute in the container; without it that of the image. */
  readonly workdir?: string | undefined;
  readonly env?: Variables | undefined;
  /** True: the command reads stdin. */
  readonly hasInput?: boolean | undefined;
  /** True: as root, whoever the image's own user is. */
  readonly asRoot?: boolean | undefined;
}

/** Arguments that run a program in a container. */
export function execArguments({container, command, workdir, env = {}, hasInput = false, asRoot = false}: ExecSpec): string[] {
  return [
    'exec',
    ...(hasInput ? ['--interactive'] : []),
    ...(asRoot ? ['--user', '0'] : []),
    ...(workdir === undefined ? [] : ['--workdir', workdir]),
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    container,
    ...command,
  ];
}

/** Ends every process of a container at once; its files stay. */
export function stopArguments(container: string): string[] {
  return ['stop', '-t', '0', container];
}

/** Removes a container with its volumes, whether it runs or not. Without the time Podman waits for ten seconds; Docker does not know it. */
export function removeArguments(program: 'docker' | 'podman', containers: readonly string[]): string[] {
  return ['rm', '--force', '--volumes', ...(program === 'podman' ? ['-t', '0'] : []), ...containers];
}
