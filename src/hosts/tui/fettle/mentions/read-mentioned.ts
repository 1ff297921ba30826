import type {Mentions} from '../../../../sdk/mentions/open-mentions.ts';
import type {CommandResult} from '../../host-adapter.ts';

/** Reads the resources that a person mentions before their message is sent. */
export interface MentionReader {
  /** Reads the mentions of a message; does nothing if it is the task that a command made. Throws CANCELLED. */
  ofMessage(text: string, signal: AbortSignal): Promise<void>;
  /** Reads the mentions typed after a command that made a task. The text of the task may come from a server, so its mentions are not the person's. */
  ofCommand(result: CommandResult | undefined, typed: string, signal: AbortSignal): Promise<void>;
}

export interface MentionReaderOptions {
  readonly mentions: () => Pick<Mentions, 'readMentioned'>;
  readonly note: (line: string) => void;
}

export function createMentionReader({mentions, note}: MentionReaderOptions): MentionReader {
  let made: string | undefined;
  const read = async (text: string, signal: AbortSignal): Promise<void> => {
    for (const problem of await mentions().readMentioned(text, signal)) note(problem);
  };
  return {
    async ofMessage(text, signal) {
      const isMade = text === made;
      made = undefined;
      if (!isMade) await read(text, signal);
    },
    async ofCommand(result, typed, signal) {
      if (result?.type !== 'task') return;
      made = result.text;
      await read(typed, signal);
    },
  };
}
