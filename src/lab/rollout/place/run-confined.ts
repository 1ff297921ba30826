import {join} from 'node:path';
import {isJsonObject, type JsonObject} from '../../../base/json.ts';
import {createExecEnvironment} from '../../../exec/create-environment.ts';
import type {CommandResult, OutputListener} from '../../../exec/process/command.ts';
import type {ResourceLimits} from '../../../exec/process/resource-watch.ts';
import type {Isolation, IsolationRules} from '../../../exec/sandbox/isolation.ts';
import type {Variables} from '../../../exec/variables/child-environment.ts';
import {isPublicAddress} from '../../../tools/web/public-address.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import type {ScratchPlace} from './scratch-place.ts';

export interface ConfinedCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly rules: IsolationRules;
  /** Absolute, as the program sees it. */
  readonly cwd: string;
  readonly env: Variables;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly input?: string | undefined;
  readonly onOutput?: OutputListener | undefined;
}

interface Around {
  readonly request: Pick<RolloutRequest, 'agent' | 'isolation'>;
  readonly place: ScratchPlace;
}

/** Runs a program of a rollout to its end; with it, everything that it started is gone. Throws if it cannot be started. */
export async function runConfined({request, place}: Around, command: ConfinedCommand, signal: AbortSignal): Promise<CommandResult> {
  const network = isPublicAlone(command.rules) ? await request.isolation?.openNetwork?.(isPublicAddress) : undefined;
  try {
    return await runInside({request, place}, network === undefined ? command : {...command, env: {...command.env, ...network.env}}, {
      enter: network?.enter ?? [],
      signal,
    });
  } finally {
    network?.close();
  }
}

/** The agent itself has the network of the machine, since its model may be on it; its commands have a sandbox of their own. */
function isPublicAlone({network, nested}: IsolationRules): boolean {
  return network && !nested;
}

interface Inside {
  /** Prefix of the command line. */
  readonly enter: readonly string[];
  readonly signal: AbortSignal;
}

async function runInside({request, place}: Around, command: ConfinedCommand, {enter, signal}: Inside): Promise<CommandResult> {
  const {cwd, env, rules, timeoutMs, input, onOutput} = command;
  const {program, args} = entered(enter, wrapped(request.isolation, command, rules));
  const environment = createExecEnvironment({
    cwd: place.folder,
    spoolDir: join(place.record, 'spool'),
    env: ownVariables(request.agent.env),
    // An agent keeps the limits of its commands itself.
    limits: rules.nested ? {} : limitsOf(request.agent.settings),
  });
  const inside = request.isolation === undefined ? cwd : place.folder;
  const result = await environment.run({program, args, cwd: inside, env, timeoutMs, input, capture: CAPTURE}, signal, onOutput);
  // Its tree is ended; a process that has left the tree still sees the folder.
  if (rules.nested) await request.isolation?.endAll(place.tree);
  return result;
}

function entered(
  [first, ...others]: readonly string[],
  {program, args}: Pick<ConfinedCommand, 'program' | 'args'>,
): Pick<ConfinedCommand, 'program' | 'args'> {
  return first === undefined ? {program, args} : {program: first, args: [...others, program, ...args]};
}

/** Bytes of output in memory. The rest is in a file of the record, as long as the scratch folder is there. */
export const CAPTURE = {headBytes: 64 * 1024, tailBytes: 64 * 1024, spillAbove: Number.POSITIVE_INFINITY};

function wrapped(
  isolation: Isolation | undefined,
  {program, args, cwd, env}: ConfinedCommand,
  rules: IsolationRules,
): Pick<ConfinedCommand, 'program' | 'args'> {
  return isolation === undefined ? {program, args} : isolation.wrap({program, args}, rules, {cwd, env});
}

/** Those of the agent's commands hold for the set-up and the verification, too. */
function limitsOf({limits}: JsonObject): ResourceLimits {
  const [memory, disk] = isJsonObject(limits) ? [limits['command_memory_mb'], limits['command_disk_mb']] : [];
  return {
    ...(typeof memory === 'number' ? {memoryBytes: memory * MEGABYTE} : {}),
    ...(typeof disk === 'number' ? {diskBytes: disk * MEGABYTE} : {}),
  };
}

const MEGABYTE = 1_000_000;

/** Without those that name folders of the person: programs would read their settings from there. */
function ownVariables(env: RolloutRequest['agent']['env']): RolloutRequest['agent']['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:XDG_|TMPDIR$|TMP$|TEMP$)/.test(name)));
}
