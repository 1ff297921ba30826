import {writeSync} from 'node:fs';
import {createVisibleStream, visibleText} from '../../../base/visible-text.ts';

/** Output of a command: data to stdout, everything else to stderr (vtcode architecture › Strict Output Separation). */
export interface Output {
  /** Text on stdout: unchanged to a pipe or file, without control sequences to a terminal. */
  data(text: string): void;
  /** Text of a model or tool on stdout: as it is into a pipe or file, without power over it on a terminal. */
  shown(text: string): void;
  /** A line on stderr. */
  note(line: string): void;
  /** A piece of a line on stderr. */
  progress(text: string): void;
  /** A line on stderr that the next one replaces; '' clears it. Only where a terminal shows it: false if none does. */
  status(line: string): boolean;
  readonly paint: Paint;
}

export type Style = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

/** The last step before the terminal: text that a caller forgot to clean is cleaned here. */
export function createOutput(env: Readonly<Record<string, string | undefined>>): Output {
  const screen = createVisibleStream();
  return {
    data: (text) => write(1, process.stdout.isTTY ? screen.push(text) : text),
    shown: (text) => write(1, process.stdout.isTTY ? visibleText(text) : text),
    note: (line) => write(2, `${painted(line)}\n`),
    progress: (text) => write(2, painted(text)),
    status(line) {
      if (process.stderr.isTTY) write(2, `\r\x1b[2K${painted(line)}`);
      return process.stderr.isTTY;
    },
    paint: wantsColour(env) ? (style, text) => `\x1b[${SGR[style]}m${text}\x1b[0m` : (_, text) => text,
  };
}

/** Text with our own colours in it, and no other control sequence. */
function painted(text: string): string {
  return text
    .split(OWN_SGR)
    .map((part, index) => (index % 2 === 1 ? part : visibleText(part)))
    .join('');
}

/** NO_COLOR (no-color.org), a dumb terminal or a pipe: no colours. */
function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return process.stderr.isTTY && env['TERM'] !== 'dumb';
}

/** Synchronous, so that nothing is lost when the process exits; a reader that went away (`| head`) is not an error. */
function write(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      waitForReader();
    }
  }
}

/** A pipe that is full: gives its reader a moment. */
function waitForReader(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

const SGR: Readonly<Record<Style, number>> = {dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36};

// oxlint-disable-next-line no-control-regex -- colours begin with one
const OWN_SGR = /(\u001b\[(?:0|1|2|31|32|33|36)m)/;
