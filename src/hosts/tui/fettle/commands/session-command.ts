import type {OpenThreadOptions} from '../../../../sdk/thread/thread-options.ts';
import type {AgentSession, CommandResult} from '../../host-adapter.ts';
import type {Conversation} from '../conversation.ts';

/** Runs the command line of Fettle in this process, and captures its output. */
export type RunCommandLine = (args: readonly string[], signal: AbortSignal) => Promise<{readonly text: string; readonly exitCode: number}>;

/** Dependencies of a session command. */
export interface CommandTalk {
  readonly conversation: Conversation;
  readonly runCommandLine: RunCommandLine | undefined;
  /** Closes this session and opens another one; a new one keeps the approval mode. */
  switchTo(resume: OpenThreadOptions['resume'], signal: AbortSignal): Promise<AgentSession>;
}

export interface OwnCommand {
  readonly name: string;
  /** Hint at the arguments. */
  readonly hint?: string;
  readonly description: string;
  readonly whileWorking?: 'always' | 'bare';
  /** @param typed The text after the name, trimmed. */
  run(talk: CommandTalk, typed: string, signal: AbortSignal): Promise<CommandResult>;
}

export function text(...lines: readonly string[]): CommandResult {
  return {type: 'text', text: lines.join('\n')};
}
