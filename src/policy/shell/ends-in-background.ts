import type {parse as Parse} from 'unbash';

/** True for a line whose last command is put into the background: it is over before that is. A line that cannot be read is not. */
export async function endsInBackground(line: string): Promise<boolean> {
  const {parse} = await import('unbash');
  return lastIsBackground(parse, line);
}

/** Longer than what a person would name as a check. */
const MAX_READ = 16 * 1024;

function lastIsBackground(parse: typeof Parse, line: string): boolean {
  if (line.length > MAX_READ) return false;
  try {
    return parse(line).commands.at(-1)?.background === true;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false; // the stack of the parser
    throw thrown;
  }
}
