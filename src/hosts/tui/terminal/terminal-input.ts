import {StringDecoder} from 'node:string_decoder';
import {StdinBuffer} from '@earendil-works/pi-tui/dist/stdin-buffer.js';
import type {KeyInput} from '../keys/key.ts';
import {keyInput} from './key-input.ts';
import {terminalReply, type TerminalReply} from './terminal-reply.ts';

/** Input from a terminal: of a person, and of the terminal itself. */
export type TerminalEvent =
  | KeyInput
  | {readonly type: 'focus'; readonly isFocused: boolean}
  | {readonly type: 'reply'; readonly reply: TerminalReply};

export interface TerminalInputOptions {
  readonly input: NodeJS.ReadableStream;
  readonly onEvent: (event: TerminalEvent) => void;
  /** The terminal is gone. */
  readonly onEnd: () => void;
  readonly hasKittyKeys: () => boolean;
  /** Milliseconds until an Esc without a rest is the key; more over a slow line, where Alt sends Esc and the key in two pieces. */
  readonly escapeTimeoutMs?: number | undefined;
}

/** Reads the terminal between `resume` and `pause`. While paused it does not read: another program gets every key. */
export interface TerminalInput {
  resume(): void;
  pause(): void;
}

export function createTerminalInput(options: TerminalInputOptions): TerminalInput {
  const {input, onEvent, onEnd} = options;
  let reading: Reader | undefined;
  const onData = (chunk: Buffer | string): void => reading?.push(chunk);
  return {
    resume() {
      if (reading !== undefined) return;
      reading = createReader(options, onEvent);
      input.on('data', onData);
      input.once('end', onEnd);
      // A terminal that was hung up is the end of the input.
      input.once('error', onEnd);
      input.resume();
    },
    pause() {
      if (reading === undefined) return;
      input.off('data', onData);
      input.off('end', onEnd);
      input.off('error', onEnd);
      input.pause();
      reading.end();
      reading = undefined;
    },
  };
}

interface Reader {
  push(chunk: Buffer | string): void;
  /** Drops incomplete input, and stops every timer. */
  end(): void;
}

type Options = Pick<TerminalInputOptions, 'hasKittyKeys' | 'escapeTimeoutMs'>;

function createReader({hasKittyKeys, escapeTimeoutMs = 30}: Options, emit: (event: TerminalEvent) => void): Reader {
  const decoder = new StringDecoder('utf8');
  const sequences = new StdinBuffer({timeout: SEQUENCE_TIMEOUT_MS, escapeTimeout: escapeTimeoutMs});
  let isPasting = false;
  let lost: NodeJS.Timeout | undefined;
  let half = '';
  sequences.on('data', (sequence) => {
    // Characters beyond the basic plane come in halves.
    const text = half + sequence;
    half = HIGH_HALF.test(text) ? text : '';
    const event = half === '' ? eventOf(text, hasKittyKeys()) : undefined;
    if (event !== undefined) emit(event);
  });
  sequences.on('paste', (text) => {
    isPasting = false;
    emit({type: 'paste', text: withLineFeeds(text)});
  });
  const typed = createTypedLines(
    (text) => sequences.process(text),
    (text) => emit({type: 'paste', text: withLineFeeds(text)}),
  );
  return {
    push(chunk) {
      const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
      if (text === '') return;
      clearTimeout(lost);
      if (text.includes(PASTE_START)) isPasting = true;
      if (isPasting || sequences.getBuffer() !== '' || !TYPED.test(text)) {
        typed.flush();
        sequences.process(text);
      } else typed.push(text);
      // The end mark of a paste may get lost with a connection: the keyboard must not be lost with it.
      if (isPasting) lost = setTimeout(() => sequences.process(PASTE_END), LOST_PASTE_MS);
      if (sequences.getBuffer().length > LONGEST_SEQUENCE) sequences.clear();
    },
    end() {
      clearTimeout(lost);
      typed.end();
      sequences.destroy();
    },
  };
}

const [PASTE_START, PASTE_END] = ['\x1b[200~', '\x1b[201~'];
const LOST_PASTE_MS = 2000;
const SEQUENCE_TIMEOUT_MS = 200;
const LONGEST_SEQUENCE = 4096;
const HIGH_HALF = /[\ud800-\udbff]$/;

function eventOf(sequence: string, hasKittyKeys: boolean): TerminalEvent | undefined {
  if (sequence === '\x1b[I' || sequence === '\x1b[O') return {type: 'focus', isFocused: sequence === '\x1b[I'};
  const reply = terminalReply(sequence);
  return reply === undefined ? keyInput(sequence, hasKittyKeys) : {type: 'reply', reply};
}

interface TypedLines {
  push(text: string): void;
  /** Types the held text at once. */
  flush(): void;
  end(): void;
}

/** Text and line ends only: what a person types, or what a terminal that does not mark pastes sends for one. */
// oxlint-disable-next-line no-control-regex -- tab and line ends are what may stand there
const TYPED = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+$/;

/** Nobody types a line so soon after the last. */
const PASTED_WITHIN_MS = 20;

/** Holds a line end for a moment: with more text after it, it is part of a paste and submits nothing. */
function createTypedLines(type: (text: string) => void, paste: (text: string) => void): TypedLines {
  let held = '';
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    clearTimeout(timer);
    const text = held;
    held = '';
    if (/[\r\n](?!$)/.test(text.replaceAll('\r\n', '\n'))) paste(text);
    else if (text !== '') type(text);
  };
  return {
    push(text) {
      held += text;
      clearTimeout(timer);
      if (/[\r\n]/.test(held)) timer = setTimeout(settle, PASTED_WITHIN_MS);
      else settle();
    },
    flush: settle,
    end: () => clearTimeout(timer),
  };
}

function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
