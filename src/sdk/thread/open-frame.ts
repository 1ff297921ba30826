import {join} from 'node:path';
import {profilesPrompt} from '../../agent/delegation/profiles-prompt.ts';
import type {LoadedInstructions} from '../../context/instructions/load-instructions.ts';
import type {PromptPart} from '../../context/system-prompt.ts';
import type {ModelRequest} from '../../models/provider.ts';
import {addServers, type ServedTools} from '../tools/add-servers.ts';
import {sessionInstructions} from '../settings/open-instructions.ts';
import {openTools} from '../tools/open-tools.ts';
import {sessionProfiles} from '../settings/session-profiles.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {promptParts, threadFrame} from './thread-frame.ts';

/** The request of a headless run in this folder before its conversation; `close` must be called. */
export interface OpenedFrame {
  readonly tools: ServedTools;
  readonly instructions: LoadedInstructions;
  readonly frame: Omit<ModelRequest, 'messages'>;
  readonly prompt: readonly PromptPart[];
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** Opens the tools as for a run, with the MCP servers; nothing is logged and no model is asked. Throws what `openTools` does. */
export async function openFrame(session: SessionSettings, signal: AbortSignal): Promise<OpenedFrame> {
  const spoolDir = join(session.paths.stateDir, 'spool', 'context');
  const [opened, instructions, agents] = await Promise.all([
    openTools({session, spoolDir, threadId: NONE}),
    sessionInstructions(session),
    sessionProfiles(session),
  ]);
  const agentWords = profilesPrompt(agents.own);
  const tools = await addServers(opened, session, {signal});
  return {
    tools,
    instructions,
    frame: threadFrame({session, instructions, agentWords}, tools, NONE),
    prompt: promptParts(tools, instructions, agentWords),
    notices: [...tools.notices, ...instructions.notices, ...agents.problems],
    async close() {
      await Promise.all([opened.endJobs(), tools.close()]);
    },
  };
}

/** The thread id used without a thread. */
const NONE = 'thr_none';
