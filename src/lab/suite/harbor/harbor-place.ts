import {join, posix} from 'node:path';
import {affectsExecution} from '../../../base/variable-names.ts';
import type {SuiteFacts} from '../suite-facts.ts';
import type {TaskPlace} from '../task.ts';
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

interface HarborPlace {
  readonly place: TaskPlace;
  /** Shell lines before the first step. */
  readonly setUp: readonly string[];
  readonly lacks: readonly string[];
}

/**
 * Decides how the place of a Harbor task is made: as a scratch root if its Dockerfile asks for nothing else, else by the container engine,
 * else not at all.
 */
export async function harborPlace({folder, fields, facts}: HarborSource): Promise<HarborPlace> {
  const {environment = {}} = fields;
  const docker = await readDockerfile(folder);
  const skillsDir = environment.skills_dir === undefined ? undefined : posix.normalize(`${environment.skills_dir}/`);
  const isSkills = (to: string): boolean => skillsDir !== undefined && posix.normalize(`${to}/`).startsWith(skillsDir);
  const {values, missing} = hostValues(environment.env ?? {});
  const workdir = environment.workdir ?? docker?.workdir ?? APP;
  const alone = [
    ...rootProblems(docker, environment.docker_image, {workdir, has: facts.programs, isElsewhere: isSkills}),
    ...executing(values),
  ];
  const isContainer = alone.length > 0 && facts.containerEngine !== undefined;
  return {
    place: {
      kind: 'root',
      workdir,
      env: isContainer ? values : {...docker?.env, ...values},
      copies: isContainer ? [] : (docker?.copies ?? []).filter(({to}) => !isSkills(to)),
      network: networkOf(environment) !== 'no-network',
      mcpServers: [],
      skills: docker?.copies.find(({to}) => isSkills(to))?.from,
      container: isContainer
        ? {dockerfile: docker === undefined ? undefined : join(folder, 'environment/Dockerfile'), image: environment.docker_image}
        : undefined,
    },
    setUp: isContainer ? [] : (docker?.setUp ?? []),
    lacks: [
      ...(isContainer ? [] : alone),
      ...missing.map((name) => `environment.env: the variable ${name} of this machine, which tasks do not get.`),
      ...(networkOf(environment) === 'allowlist' ? ['It allows single hosts of the network (environment.network_mode).'] : []),
      ...((await hasCompose(folder)) ? ['environment/docker-compose.yaml: services beside its container.'] : []),
    ],
  };
}

function networkOf({network_mode: mode, allow_internet: isAllowed}: NonNullable<HarborFields['environment']>): string {
  return mode ?? (isAllowed === false ? 'no-network' : 'public');
}

async function readDockerfile(folder: string): Promise<DockerPlace | undefined> {
  const context = join(folder, 'environment');
  const file = join(context, 'Dockerfile');
  if (!(await hasFolder(context)) || !(await hasFile(file))) return undefined;
  const place = dockerPlace(parseDockerfile(await readTaskText(file)), context);
  if (!(await hasFile(join(context, '.dockerignore')))) return place;
  return {...place, problems: [...place.problems, {line: 1, text: 'the .dockerignore beside it is not understood'}]};
}

async function hasCompose(folder: string): Promise<boolean> {
  const names = ['docker-compose.yaml', 'docker-compose.yml', 'compose.yaml', 'compose.yml'];
  const found = await Promise.all(names.map(async (name) => await hasFile(join(folder, 'environment', name))));
  return found.includes(true);
}

interface RootNeeds {
  readonly workdir: string;
  readonly has: ReadonlySet<string>;
  readonly isElsewhere: (to: string) => boolean;
}

function rootProblems(docker: DockerPlace | undefined, image: string | undefined, {workdir, ...needs}: RootNeeds): readonly string[] {
  const noRoot = needs.has.has('bwrap') ? [] : ['Without a container its folders /app, /tests and /logs need bubblewrap (bwrap) on Linux.'];
  if (docker !== undefined) return [...noRoot, ...placeProblems({...docker, workdir}, needs)];
  const only =
    image === undefined ? 'It has no environment/Dockerfile and no image.' : `Only a container engine can run its image ${image}.`;
  return [...noRoot, only];
}

function executing(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(values)
    .filter(affectsExecution)
    .map((name) => `environment.env: ${name} decides which programs run.`);
}
