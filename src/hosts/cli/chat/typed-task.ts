import {toFettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {OpenedThread} from '../../../sdk/thread/open-thread.ts';
import type {Io} from '../io.ts';

/**
 * Returns the task that a typed line means: the line itself, or, for a name with a slash, a custom command, a skill, or a prompt of an MCP
 * server, which is shown. Returns undefined if it is not available, after showing the reason.
 */
export async function typedTask(
  {io, thread}: {readonly io: Pick<Io, 'note' | 'paint'>; readonly thread: Pick<OpenedThread, 'commands'>},
  line: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!line.startsWith('/')) return line;
  try {
    const text = await thread.commands.task(line, signal);
    if (text !== line) io.note(io.paint('dim', visibleText(line.startsWith('/mcp__') ? text : beginning(text))));
    return text;
  } catch (thrown) {
    const {message, hint} = toFettleError(thrown);
    io.note(visibleText([message, hint].filter((part) => part !== undefined).join(' ')));
    return undefined;
  }
}

/** Shortens a text of the person's own, or one that they trust, enough to recognize it. */
function beginning(text: string): string {
  const lines = text.split('\n');
  return lines.length <= MOST_LINES ? text : `${lines.slice(0, MOST_LINES).join('\n')}\n… and ${lines.length - MOST_LINES} more lines`;
}

const MOST_LINES = 12;
