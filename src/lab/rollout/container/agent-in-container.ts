import {randomBytes} from 'node:crypto';
import {chmod, lstat, mkdir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {agentSettings} from '../agent/agent-settings.ts';
import {agentArguments, agentTimeMs, followAgent, promptText, writeState, type AgentCall, type AgentRun} from '../agent/run-agent.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {removeTree} from '../tree/remove-tree.ts';
import {execIn, MODEL, SEED, type Box} from './box.ts';
import {openModelRelay, type ModelRelay} from './model-relay.ts';
import {relayedSettings, relayedVariables} from './relayed-settings.ts';

/** FETTLE_HOME in the container. Each step has its own. */
export function agentHome(index: number): string {
  return `/tmp/.fettle-${index + 1}`;
}

interface BoxedCall extends AgentCall {
  /** The number of the step, from 0. */
  readonly index: number;
}

/**
 * Runs the agent on one step in the container, which is the sandbox of its commands. When it returns, processes of the agent may still run: stop the
 * container. Its provider is reached through a relay that keeps the key outside. Throws CANCELLED.
 */
export async function runAgentIn(request: RolloutRequest, box: Box, call: BoxedCall): Promise<AgentRun> {
  const {task, agent, key} = request;
  const {program, args} = box.containers.agent;
  // Below the mounted folder, since it is recreated.
  const seed = join(box.place.folder, SEED.folder, 'home');
  const home = agentHome(call.index);
  await writeState(request, {folder: seed, settings: relayedSettings(agentSettings(request, call.step))});
  const own = await agentArguments(request, {files: {folder: seed, at: home}, sandbox: ['--no-sandbox']}, call);
  await openToAll(seed);
  const token = `fettle-${randomBytes(18).toString('base64url')}`;
  const usesServer = key.model !== 'script';
  const relay = usesServer ? await relayFor(request, box, token) : undefined;
  const env = {
    ...(usesServer ? {...relayedVariables(agent, token), FETTLE_MODEL_SOCKET: join(MODEL.at, SOCKET)} : {}),
    FETTLE_HOME: home,
  };
  try {
    return await followAgent(
      call,
      async (onOutput) =>
        await execIn(
          box,
          {
            command: ['sh', '-c', ENTRY, `${SEED.at}/home`, program, ...args, ...own],
            workdir: box.workdir,
            env,
            input: promptText(call.step.prompt),
            timeoutMs: agentTimeMs(task),
            onOutput,
          },
          call.signal,
        ),
    );
  } finally {
    await relay?.close();
  }
}

/** The folder belongs to whoever the user of the image is. */
const ENTRY = 'mkdir -p "$FETTLE_HOME" && cp -r "$0/." "$FETTLE_HOME" && exec "$@"';

const SOCKET = 'model.sock';

async function relayFor({agent}: RolloutRequest, {place}: Box, token: string): Promise<ModelRelay> {
  const folder = join(place.folder, MODEL.folder);
  // The folder itself is mounted, and stays.
  await removeTree(join(folder, SOCKET));
  await mkdir(folder, {recursive: true});
  await chmod(folder, 0o755);
  return await openModelRelay({socket: join(folder, SOCKET), upstreams: agent.upstreams ?? [], token, env: agent.env});
}

/** The user of an image may be another one. Nobody outside gets through the scratch folder, and nothing here is a secret. */
async function openToAll(path: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return;
  await chmod(path, stats.isDirectory() ? 0o755 : (stats.mode & 0o777) | 0o444);
  if (stats.isDirectory()) for (const name of await readdir(path)) await openToAll(join(path, name));
}
