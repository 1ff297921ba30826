import {FettleError, toFettleError} from '../../../../base/errors.ts';
import {openIsolation} from '../../../../exec/sandbox/open-isolation.ts';
import type {Isolation} from '../../../../exec/sandbox/isolation.ts';
import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {fillCompileCache} from '../../../../lab/rollout/agent/fill-compile-cache.ts';
import {openContainers, type Containers} from '../../../../lab/container/containers.ts';
import {artifactsIn} from '../../../../lab/artifacts/rollout-artifacts.ts';
import type {RolloutRunner} from '../../../../lab/run/coordinate-run.ts';
import type {Suite} from '../../../../lab/suite/task.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import type {Io} from '../../io.ts';
import {agentCommand} from './agent-command.ts';
import type {LabFolders} from './lab-place.ts';

interface Opening {
  readonly io: Io;
  readonly settings: SessionSettings;
  readonly folders: LabFolders;
  readonly flags: {readonly isolation: boolean};
}

export interface RunnerParts {
  readonly models: readonly string[];
  /** Place of the artefacts. */
  readonly store: string;
  readonly suite: Suite;
}

/** Opens everything with which this machine carries out rollouts. Whoever opened it closes it by {@link closeRunner}. */
export async function openRunner(
  {io, settings, folders, flags}: Opening,
  {models, store, suite}: RunnerParts,
  signal: AbortSignal,
): Promise<RolloutRunner> {
  const {configDir, stateDir, cacheDir} = settings.paths;
  const agent = agentCommand(io, settings, models);
  await fillCompileCache(agent, {scratch: folders.scratch, compileCache: folders.compiled}, signal);
  return {
    tasks: tasksOf(suite),
    folders: {
      scratch: folders.scratch,
      hidden: [suite.folder, folders.imports, configDir, stateDir, cacheDir],
      compileCache: folders.compiled,
    },
    agent,
    artifacts: artifactsIn(await openArtifacts(store, io.env)),
    containers: await containersFor(suite, {env: io.env, agent, scratch: folders.scratch}, signal),
    isolation: await isolationFor(stateDir, flags),
  };
}

/** Returns the tasks of a suite by their ids. */
export function tasksOf({tasks}: Suite): RolloutRunner['tasks'] {
  return new Map(tasks.map((task) => [task.id, task]));
}

/** Ends what a runner has opened. */
export async function closeRunner({isolation, containers}: RolloutRunner): Promise<void> {
  containers?.close();
  await isolation?.close();
}

async function containersFor(
  {tasks}: Suite,
  opening: Parameters<typeof openContainers>[0],
  signal: AbortSignal,
): Promise<Containers | undefined> {
  const isNeeded = tasks.some(({place, lacks}) => place.container !== undefined && lacks.length === 0);
  return isNeeded ? await openContainers(opening, signal) : undefined;
}

async function isolationFor(stateDir: string, flags: Opening['flags']): Promise<Isolation | undefined> {
  if (!flags.isolation) return undefined;
  return await openIsolation(stateDir).catch((thrown: unknown) => {
    const {message, hint} = toFettleError(thrown);
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `Agents cannot be isolated here: ${message}`,
      hint: `${hint ?? ''} With --no-isolation they run all the same, and can read hidden tests and change your files.`.trim(),
      cause: thrown,
    });
  });
}
