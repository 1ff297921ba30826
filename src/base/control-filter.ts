/** Takes control characters and control sequences (ECMA-48) out of a text that comes in pieces. */
export interface ControlFilter {
  push(piece: string): string;
  end(): string;
}

/**
 * Removes control sequences from a stream; a sequence may be split anywhere between pieces. One that never ends
 * does not swallow later text: a line feed, or too many characters, end it. A carriage return becomes a line
 * feed; CR LF becomes one.
 */
export function createControlFilter(): ControlFilter {
  const filter: Filter = {state: 'text', length: 0, held: ''};
  return {
    push(piece) {
      const text = filter.held + piece;
      filter.held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? '';
      return filtered(filter, text.slice(0, text.length - filter.held.length));
    },
    end() {
      const rest = filtered(filter, filter.held);
      Object.assign(filter, {state: 'text', length: 0, held: ''});
      return rest;
    },
  };
}

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string escape';

interface Filter {
  state: State;
  /** Characters of the sequence up to now. */
  length: number;
  held: string;
}

const LONGEST_CSI = 256;
/** Pictures come this way. */
const LONGEST_STRING = 16 * 1024 * 1024;

function filtered(filter: Filter, input: string): string {
  if (filter.state === 'text' && !CONTROL.test(input)) return input;
  const text = input.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  let result = '';
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (filter.state === 'text' && isPlain(code)) continue;
    if (filter.state === 'text') result += text.slice(kept, at);
    const isShown = step(filter, code);
    kept = isShown ? at : at + 1;
  }
  return filter.state === 'text' ? result + text.slice(kept) : result;
}

// oxlint-disable-next-line no-control-regex -- that is what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function isPlain(code: number): boolean {
  return code === 9 || code === 10 || (code >= 0x20 && (code < 0x7f || code > 0x9f));
}

/** Takes one character; true if it is shown after all. */
function step(filter: Filter, code: number): boolean {
  filter.length += 1;
  if (code === LINE_FEED) return enter(filter, 'text', true);
  if (code === CANCEL || code === SUBSTITUTE) return enter(filter, 'text', false);
  if (filter.state === 'text') return enter(filter, opened(code), false);
  if (filter.state === 'string' || filter.state === 'string escape') return inString(filter, code);
  return inSequence(filter, code);
}

function inSequence(filter: Filter, code: number): boolean {
  const {state} = filter;
  if (code === ESCAPE) return enter(filter, 'escape', false);
  if (code >= 0x80) return enter(filter, code <= 0x9f ? opened(code) : 'text', code > 0x9f);
  if (code < 0x20 || code === 0x7f) return false;
  if (state === 'csi') return code >= 0x40 || filter.length > LONGEST_CSI ? enter(filter, 'text', false) : false;
  if (code <= 0x2f) return enter(filter, 'intermediate', false);
  return enter(filter, state === 'escape' ? escaped(code) : 'text', false);
}

const [LINE_FEED, BELL, CANCEL, SUBSTITUTE, ESCAPE, STRING_END] = [0x0a, 0x07, 0x18, 0x1a, 0x1b, 0x9c];

function enter(filter: Filter, state: State, isShown: boolean): boolean {
  if (state === 'text' || filter.state === 'text') filter.length = 0;
  filter.state = state;
  return isShown;
}

/** Returns the state after a control character. */
function opened(code: number): State {
  if (code === ESCAPE) return 'escape';
  if (code === 0x9b) return 'csi';
  return [0x90, 0x98, 0x9d, 0x9e, 0x9f].includes(code) ? 'string' : 'text';
}

/** Returns the state after the escape character: `[` and the like represent a C1 control. */
function escaped(code: number): State {
  if (code === 0x5b) return 'csi';
  return [0x50, 0x58, 0x5d, 0x5e, 0x5f].includes(code) ? 'string' : 'text';
}

function inString(filter: Filter, code: number): boolean {
  if (code === BELL || code === STRING_END || filter.length > LONGEST_STRING) return enter(filter, 'text', false);
  if (filter.state === 'string escape') {
    // `ESC \` ends it; any other escape sequence ends it, too, and begins.
    filter.state = 'escape';
    return code === 0x5c ? enter(filter, 'text', false) : step(filter, code);
  }
  return enter(filter, code === ESCAPE ? 'string escape' : 'string', false);
}
