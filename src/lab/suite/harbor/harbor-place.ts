import {join, posix} from 'node:path';
import {affectsExecution} from '../../../base/variable-names.ts';
import type {SuiteFacts} from '../suite-facts.ts';
import type {TaskContainer, TaskPlace} from '../task.ts';
import {hasFile, hasFolder, readTaskText} from '../task-text.ts';
import {dockerPlace, placeProblems, type DockerPlace} from './docker-place.ts';
import {parseDockerfile} from './dockerfile.ts';
import {hostValues} from './host-values.ts';
import type {HarborFields} from './harbor-schema.ts';
import {APP} from './scratch-folders.ts';

interface HarborSource {
  readonly folder: string;
  readonly fields: HarborFields;
  readonly facts: SuiteFacts;
}

/** The place of a task in both forms; `read-harbor-task.ts` chooses. */
interface HarborPlace {
  /** A scratch root. */
  readonly place: TaskPlace;
  /** Shell lines before the first step in a scratch root. */
  readonly setUp: readonly string[];
  /** Reasons why a scratch root is not enough. */
  readonly needs: readonly string[];
  /** The same place in a container. */
  readonly inContainer: TaskPlace;
  /** Reasons why a container is not enough either. */
  readonly lacks: readonly string[];
}

/** Reads the place of a Harbor task: what a scratch root can do of it, and how a container engine makes it. */
export async function harborPlace({folder, fields: {environment = {}}, facts}: HarborSource): Promise<HarborPlace> {
  const docker = await readDockerfile(folder, environment.docker_image);
  const workdir = environment.workdir ?? docker.workdir;
  const variables = hostValues(environment.env ?? {});
  const isSkills = below(environment.skills_dir);
  const network = networkOf(environment);
  const common = {
    kind: 'root',
    workdir,
    network: network !== 'no-network',
    mcpServers: [],
    skills: docker.copies.find(({to}) => isSkills(to))?.from,
  } as const;
  return {
    place: {...common, env: {...docker.env, ...variables.values}, copies: docker.copies.filter(({to}) => !isSkills(to))},
    setUp: docker.setUp,
    needs: [
      ...(facts.programs.has('bwrap') ? [] : [NO_ROOT]),
      ...placeProblems({...docker, workdir}, {has: facts.programs, isElsewhere: isSkills}),
      ...executing(variables.values),
    ],
    inContainer: {...common, env: variables.values, copies: [], container: containerOf(environment, docker.file)},
    lacks: [
      ...variables.missing.map((name) => `environment.env: the variable ${name} of this machine, which tasks do not get.`),
      ...(network === 'allowlist' ? ['It allows single hosts of the network (environment.network_mode).'] : []),
      ...((await hasCompose(folder)) ? ['environment/docker-compose.yaml: services beside its container.'] : []),
      ...(docker.file === undefined && environment.docker_image === undefined ? ['It names no image, and has no Dockerfile.'] : []),
    ],
  };
}

/** Without limits of its own a container has those of the engine. */
function containerOf(
  {docker_image: image, workdir, build_timeout_sec: buildTimeoutS = 600, ...limits}: Environment,
  dockerfile: string | undefined,
): TaskContainer {
  const memory = limits.memory_mb === undefined ? limits.memory?.replace(/i?B?$/, '').toLowerCase() : `${limits.memory_mb}m`;
  return {dockerfile, image, workdir, buildTimeoutS, cpus: limits.cpus, memory};
}

const NO_ROOT = 'Without a container its folders /app, /tests and /logs need bubblewrap (bwrap) on Linux.';

/** Says whether a path is that of the folder, or below. */
function below(folder: string | undefined): (path: string) => boolean {
  const start = folder === undefined ? undefined : posix.normalize(`${folder}/`);
  return (path) => start !== undefined && posix.normalize(`${path}/`).startsWith(start);
}

type Environment = NonNullable<HarborFields['environment']>;

function networkOf({network_mode: mode, allow_internet: isAllowed}: Environment): NonNullable<Environment['network_mode']> {
  return mode ?? (isAllowed === false ? 'no-network' : 'public');
}

/** A task without a Dockerfile has a ready image, or nothing that could be followed. */
async function readDockerfile(folder: string, image: string | undefined): Promise<DockerPlace & {readonly file?: string}> {
  const context = join(folder, 'environment');
  const file = join(context, 'Dockerfile');
  if (!(await hasFolder(context)) || !(await hasFile(file))) {
    const text = image === undefined ? 'there is none, and no image' : `there is none: what the image ${image} holds is not known`;
    return {workdir: APP, env: {}, copies: [], setUp: [], programs: [], problems: [{line: 1, text}]};
  }
  const place = {...dockerPlace(parseDockerfile(await readTaskText(file)), context), file};
  if (!(await hasFile(join(context, '.dockerignore')))) return place;
  return {...place, problems: [...place.problems, {line: 1, text: 'the .dockerignore beside it is not understood'}]};
}

async function hasCompose(folder: string): Promise<boolean> {
  const names = ['docker-compose.yaml', 'docker-compose.yml', 'compose.yaml', 'compose.yml'];
  const found = await Promise.all(names.map(async (name) => await hasFile(join(folder, 'environment', name))));
  return found.includes(true);
}

function executing(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(values)
    .filter(affectsExecution)
    .map((name) => `environment.env: ${name} decides which programs run.`);
}
