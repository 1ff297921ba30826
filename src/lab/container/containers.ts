import {hash} from 'node:crypto';
import {FettleError} from '../../base/errors.ts';
import {identityOf, type ProcessIdentity} from '../../exec/process/process-identity.ts';
import {mountAgent, type MountedAgent} from './agent-mounts.ts';
import type {ContainerEngine} from './engine.ts';
import {findEngine} from './find-engine.ts';
import {createImages, type Images} from './images.ts';
import {removeStale} from './stale-containers.ts';

/** Everything with which rollouts of this process use containers. Whoever opened it closes it. */
export interface Containers {
  readonly engine: ContainerEngine;
  readonly images: Images;
  readonly agent: MountedAgent;
  /** Tells the containers of this lab from those of others. */
  readonly lab: string;
  readonly owner: ProcessIdentity;
  close(): void;
}

interface Opening {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agent: {readonly program: string; readonly args: readonly string[]};
  /** The folder of all scratch folders, absolute. */
  readonly scratch: string;
}

/** Finds the engine again, and removes containers that killed processes have left. Throws UNAVAILABLE if no engine answers. */
export async function openContainers({env, agent, scratch}: Opening, signal: AbortSignal): Promise<Containers> {
  const engine = await findEngine(env, signal);
  if ('problems' in engine) {
    const message = `No container engine answers: ${engine.problems.join('; ')}.`;
    throw new FettleError({
      code: 'UNAVAILABLE',
      message,
      hint: 'Start docker or podman, or leave out the tasks that need a container: --tasks.',
    });
  }
  const owner = identityOf(process.pid);
  if (owner === undefined) throw new FettleError({code: 'UNAVAILABLE', message: 'This process cannot find itself in /proc.'});
  const lab = hash('sha256', scratch).slice(0, 16);
  await removeStale(engine, lab, signal);
  const mounted = mountAgent(agent);
  const images = createImages(engine, mounted.node);
  return {engine, images, agent: mounted, lab, owner, close: () => images.close()};
}
