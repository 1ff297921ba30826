import {realpath} from 'node:fs/promises';
import {allSessionFiles, type SessionFile} from '../../sessions/session-files.ts';
import {readWhole, withRegularFile} from '../../workspace/open-regular-file.ts';
import {SUBAGENTS, subagentText} from '../log/rollout-log.ts';
import type {TaskStep} from '../suite/task.ts';
import type {AgentRun} from './agent/run-agent.ts';
import {keepArtifacts, stepArtifact} from './keep-artifacts.ts';
import type {RolloutCall} from './rollout-run.ts';

interface AgentStepFiles {
  readonly step: TaskStep;
  readonly agent: AgentRun;
  readonly eventFile: string;
  readonly patch: string | Buffer;
  /** The folder of the agent's session logs, which is this step's own. */
  readonly sessions: string | undefined;
}

/** Stores what the agent leaves of a step: events, last message, difference, session logs. */
export async function keepAgentStep(
  call: RolloutCall,
  {step, agent, eventFile, patch, sessions}: AgentStepFiles,
  signal: AbortSignal,
): Promise<void> {
  const contents = {
    'events.jsonl': eventFile,
    'last-message.txt': Buffer.from(agent.answer),
    'diff.patch': Buffer.from(patch),
    ...(sessions === undefined ? {} : await sessionLogs(sessions, agent)),
  };
  const named = Object.entries(contents).map(([name, content]) => [stepArtifact(name, step, call.request), content] as const);
  await keepArtifacts(call, Object.fromEntries(named), signal);
}

/**
 * The log that the agent has written of itself, which also has the system prompt and the tools, and those of its subagents. Its commands could
 * have changed the folder: only regular files that are really in it are read, and nothing if it is a link.
 */
async function sessionLogs(folder: string, {threadId}: AgentRun): Promise<Record<string, Buffer>> {
  if (threadId === undefined || (await realpath(folder).catch(() => undefined)) !== folder) return {};
  const files = allSessionFiles(folder);
  const own = files.find((session) => session.threadId === threadId);
  const text = own === undefined ? undefined : await readInside(folder, own);
  const others = files.filter((session) => session.threadId !== threadId).toSorted((a, b) => (a.threadId < b.threadId ? -1 : 1));
  const read = await Promise.all(others.map(async (one) => ({threadId: one.threadId, text: (await readInside(folder, one))?.toString()})));
  const logs = read.flatMap((log) => (log.text === undefined ? [] : [{threadId: log.threadId, text: log.text}]));
  return {
    ...(text === undefined ? {} : {'session.jsonl': text}),
    ...(logs.length === 0 ? {} : {[SUBAGENTS]: Buffer.from(subagentText(logs))}),
  };
}

async function readInside(folder: string, {file}: SessionFile): Promise<Buffer | undefined> {
  try {
    const real = await realpath(file);
    if (!real.startsWith(`${folder}/`)) return undefined;
    return await withRegularFile(real, async (fd, stats) => (stats.size > MAX_BYTES ? undefined : await readWhole(fd, stats)));
  } catch {
    return undefined; // it is gone, or is not a regular file
  }
}

const MAX_BYTES = 512 * 1024 * 1024;
