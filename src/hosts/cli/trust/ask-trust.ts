import type {TrustAnswer} from '../../../sdk/trust/settle-trust.ts';
import {createLineEditor, type LineEditor} from '../chat/line-editor.ts';

export interface TrustChoice {
  /** True if trusting for this session alone is a choice. */
  readonly session: boolean;
  /** The editor in which to ask; absent: one is created for this question. */
  readonly lines?: LineEditor | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Takes the answer of a person. Anything but a clear yes is a no, and so is the end of the input. */
export async function askTrust({session, lines: input, signal}: TrustChoice): Promise<TrustAnswer> {
  const stopped = new AbortController();
  const lines = input ?? ownLines(stopped);
  const query = session
    ? 'Do you trust it? [t]rust, this [s]ession only, [N]o: '
    : 'Do you trust it? When something of it changes you are asked again. [t]rust, [N]o: ';
  // Text typed before the question was shown is not an answer to it.
  lines.forgetTypedAhead();
  try {
    const answer = (await lines.question(query, {signal: signal ?? stopped.signal})).trim();
    if (/^(?:t|trust|y|yes)$/i.test(answer)) return 'trust';
    return session && /^s(?:ession)?$/i.test(answer) ? 'session' : 'no';
  } catch {
    return 'no';
  } finally {
    if (input === undefined) lines.close();
  }
}

function ownLines(stopped: AbortController): LineEditor {
  return createLineEditor({
    input: process.stdin,
    output: process.stderr,
    onInterrupt: () => stopped.abort(),
    onTypedAhead: () => undefined,
  });
}
