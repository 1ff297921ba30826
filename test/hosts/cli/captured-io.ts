import type {Io} from '../../../src/hosts/cli/io.ts';

export interface CapturedIo {
  readonly io: Io;
  /** What was written to stdout. */
  stdout(): string;
  /** What was written to stderr. */
  stderr(): string;
}

/** An `Io` without a terminal that keeps what is written. */
export function capturedIo(given: Partial<Io> = {}): CapturedIo {
  let [stdout, stderr] = ['', ''];
  const data = (text: string): void => void (stdout += text);
  const io: Io = {
    env: {},
    cwd: '/',
    home: '/',
    interactive: false,
    readStdin: async () => '',
    piped: () => undefined,
    data,
    shown: data,
    note: (line) => void (stderr += `${line}\n`),
    progress: (text) => void (stderr += text),
    status: () => false,
    paint: (_, text) => text,
    ...given,
  };
  return {io, stdout: () => stdout, stderr: () => stderr};
}
