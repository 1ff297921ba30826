import type {LoadedInstructions} from '../../context/instructions/load-instructions.ts';
import {skillsPrompt} from '../../context/skills-prompt.ts';
import {systemPrompt, type PromptPart} from '../../context/system-prompt.ts';
import {PLATFORM} from '../../exec/process/platform.ts';
import type {ModelRequest} from '../../models/provider.ts';
import {advertisedTools} from '../../tools/toolsets/advertised-tools.ts';
import {toolSchemas} from '../../tools/arguments/schema.ts';
import type {ServedTools} from '../tools/add-servers.ts';
import {planInstructions} from './plan-reminder.ts';
import type {OpenThreadOptions} from './thread-options.ts';

/** Builds the part that all requests of a thread share, byte for byte, so that providers can cache it: the prompt and the tools. */
export function threadFrame(options: FrameOptions, tools: ServedTools, threadId: string): Omit<ModelRequest, 'messages'> {
  const {session, askUser, outputSchema, instructions, agentWords} = options;
  const audience = {
    model: session.settings.model ?? '',
    compositeTools: session.settings.composite_tools_enabled,
    hasPerson: askUser !== undefined,
    capabilities: tools.dispatcher.context.capabilities,
  };
  return {
    system: promptParts(tools, instructions, agentWords)
      .filter(({kind}) => kind !== 'plan')
      .map(({text}) => text)
      .join('\n\n'),
    tools: toolSchemas({tools: advertisedTools(tools.toolset, audience)}),
    cacheKey: threadId,
    outputSchema,
  };
}

export interface FrameOptions extends Pick<OpenThreadOptions, 'session' | 'askUser' | 'outputSchema'> {
  readonly instructions: LoadedInstructions;
  /** Prompt text about the subagents that files define. */
  readonly agentWords?: string;
}

/** Returns the beginning of a thread, part by part: the system prompt, and the instructions of the mode `plan` after the first prompt. */
export function promptParts(tools: ServedTools, instructions: LoadedInstructions, agentWords = ''): readonly PromptPart[] {
  const place = {root: tools.workspace.root, platform: PLATFORM, date: new Date().toISOString().slice(0, 10)};
  const parts: PromptPart[] = [
    ...systemPrompt(place, instructions, tools.toolset.name === 'small'),
    {kind: 'plan', text: planInstructions(tools)},
    {kind: 'skills', text: skillsPrompt(tools.skills)},
    {kind: 'agents', text: agentWords},
    {kind: 'servers', text: tools.serverInstructions},
  ];
  return parts.filter(({text}) => text !== '');
}
