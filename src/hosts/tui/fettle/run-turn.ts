import {toFettleError} from '../../../base/errors.ts';
import {turnChanges} from '../../../sdk/undo/turn-changes.ts';
import type {TurnEnding} from '../host-adapter.ts';
import type {Conversation} from './conversation.ts';
import type {MentionReader} from './mentions/read-mentioned.ts';
import {turnEnding} from './turn-ending.ts';

/** Runs a turn for the typed text. Never rejects because of that text, a model or a tool: such errors are an ending. */
export async function runTurn(
  conversation: Conversation,
  {text, mentioned}: {readonly text: string; readonly mentioned: Pick<MentionReader, 'ofMessage'>},
  signal: AbortSignal,
): Promise<TurnEnding> {
  const {facts} = conversation;
  facts.takeCheckpoints();
  try {
    await mentioned.ofMessage(text, signal);
    const task = text.startsWith('/') ? await conversation.thread.commands.task(text, signal) : text;
    const result = await conversation.run(task, signal);
    return turnEnding(result, await turnChanges(conversation.settings, facts.takeCheckpoints()));
  } catch (thrown) {
    return {outcome: signal.aborted ? 'cancelled' : 'failed', lines: [errorText(thrown)]};
  }
}

/** Describes an error in one line: message and hint. */
export function errorText(thrown: unknown): string {
  const {message, hint} = toFettleError(thrown);
  return [message, hint].filter((part) => part !== undefined).join(' ');
}
