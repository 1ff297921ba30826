import {childEnvironment, type Variables} from '../../exec/variables/child-environment.ts';
import {PLATFORM} from '../../exec/process/platform.ts';
import {toFettleError} from '../../base/errors.ts';
import {lastLine, runEngine} from './run-engine.ts';
import type {EngineProgram, FoundEngine} from './engine.ts';

/**
 * Finds the first of docker and podman on PATH that answers: a program whose service does not run is none. At most 10 seconds for each. Only on
 * Linux: elsewhere Fettle's own Node cannot run in a container.
 */
export async function findEngine(owner: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<FoundEngine> {
  if (PLATFORM !== 'linux') return {problems: ['containers are used on Linux alone']};
  const env = engineVariables(owner);
  const problems: string[] = [];
  for (const [program, question] of QUESTIONS) {
    const answer = await ask({program, env}, question, signal);
    if ('version' in answer) return {program, version: answer.version, env};
    problems.push(`${program}: ${answer.problem}`);
  }
  return {problems};
}

/** Each is answered by the part that runs containers, not by the program alone. */
const QUESTIONS: readonly (readonly [EngineProgram, readonly string[]])[] = [
  ['docker', ['version', '--format', '{{.Server.Version}}']],
  ['podman', ['info', '--format', '{{.Version.Version}}']],
];

const ANSWER_MS = 10_000;

type Answer = {readonly version: string} | {readonly problem: string};

async function ask(engine: Parameters<typeof runEngine>[0], args: readonly string[], signal: AbortSignal): Promise<Answer> {
  try {
    const {code, stdout, stderr} = await runEngine(engine, {args, timeoutMs: ANSWER_MS, accepts: 'all'}, signal);
    const version = stdout.trim();
    if (code === 0 && /^\d[\w.+~-]*$/.test(version)) return {version};
    return {problem: lastLine(stderr) || 'it names no version'};
  } catch (thrown) {
    const error = toFettleError(thrown);
    if (error.code === 'CANCELLED') throw error;
    return {problem: error.message};
  }
}

/** The harmless variables of the owner, and those that tell an engine where its service, storage and settings are. */
export function engineVariables(owner: Readonly<Record<string, string | undefined>>): Variables {
  const own = Object.entries(owner).filter((entry): entry is [string, string] => entry[1] !== undefined && OF_ENGINES.test(entry[0]));
  return {...childEnvironment(owner), ...Object.fromEntries(own)};
}

const OF_ENGINES = /^(?:DOCKER_|CONTAINERS?_|BUILDAH_|BUILDKIT_|REGISTRY_AUTH_FILE$|STORAGE_|DBUS_SESSION_BUS_ADDRESS$|SSH_AUTH_SOCK$)/;
