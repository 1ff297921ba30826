import type {RunResult} from '../../agent/thread.ts';
import type {SessionSettings} from '../../sdk/settings/session-settings.ts';
import type {OpenedThread} from '../../sdk/thread/open-thread.ts';
import type {Io} from './io.ts';
import {noteBackgroundCommands} from './output/note-background-commands.ts';

/** Resolves a prompt to a task, even if it names a custom command or a skill; a typo costs no session. Servers have prompts once they run. */
export async function taskOf(session: SessionSettings, prompt: string, signal: AbortSignal): Promise<string> {
  if (!prompt.startsWith('/') || isServerPrompt(prompt)) return prompt;
  const [{openCommands}, {sessionSkills}] = await Promise.all([
    import('../../sdk/tools/open-commands.ts'),
    import('../../sdk/settings/session-skills.ts'),
  ]);
  const {skills} = await sessionSkills(session);
  return await openCommands({session, skills, serverPrompt: async (line) => line}).task(prompt, signal);
}

/** True for a prompt of an MCP server: `/mcp__SERVER__NAME …`. */
export function isServerPrompt(prompt: string): boolean {
  return prompt.startsWith('/mcp__');
}

interface TypedRun {
  readonly task: string;
  /** It names a prompt of an MCP server. */
  readonly isForServer: boolean;
  /** Text piped in besides the prompt. */
  readonly input: string | undefined;
  readonly signal: AbortSignal;
}

/** The thread is closed in any case. */
export async function runTask(io: Io, thread: OpenedThread, {task, isForServer, input, signal}: TypedRun): Promise<RunResult> {
  let result: RunResult | undefined;
  try {
    const text = isForServer ? await thread.commands.task(task, signal) : task;
    result = await thread.run(input === undefined ? text : `${text}\n\n${input}`, signal);
    return result;
  } finally {
    noteBackgroundCommands(io, await thread.close(result));
    for (const note of thread.lateNotes()) io.note(note);
  }
}
