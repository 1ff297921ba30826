/** Asks a person at the terminal. Anything but a clear yes is a no, and so are Ctrl-C and the end of the input. */
export async function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  const {createInterface} = await import('node:readline/promises');
  const lines = createInterface({input: process.stdin, output: process.stderr});
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    const stop = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
    return /^y(?:es)?$/i.test((await lines.question(question, {signal: stop})).trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
