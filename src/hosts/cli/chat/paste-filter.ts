import {Transform, type TransformCallback} from 'node:stream';

/** Stands for a line feed of pasted text while it is on the edited line. */
const PASTED_LINE_FEED = '␊';

/** Asks a terminal to mark pasted text, and to stop doing so (xterm, "bracketed paste mode"). */
export const PASTE_MARKS = {on: '\x1b[?2004h', off: '\x1b[?2004l'};

/** The text of an edited line as it was pasted and typed. */
export function restoreLineFeeds(line: string): string {
  return line.replaceAll(PASTED_LINE_FEED, '\n');
}

/**
 * Bytes of a terminal on their way to the line editor. Pasted text becomes part of the line: its line ends do not submit it, and its
 * control characters are left out, so that a paste cannot press keys.
 */
export function createPasteFilter(): Transform {
  // One character for each byte: a piece may end within a character.
  let held = '';
  let inPaste = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let text = held + chunk.toString('latin1');
      let out = '';
      for (;;) {
        const mark = inPaste ? END : START;
        const at = text.indexOf(mark);
        const end = at < 0 ? text.length - heldBack(text, mark) : at;
        const piece = text.slice(0, end);
        out += inPaste ? asTyped(piece) : piece;
        text = text.slice(at < 0 ? end : end + mark.length);
        if (at < 0) break;
        inPaste = !inPaste;
      }
      held = text;
      done(null, Buffer.from(out, 'latin1'));
    },
  });
}

const START = '\x1b[200~';
const END = '\x1b[201~';

/** How much at the end may be the beginning of the mark, or of a line end. A lone escape is a key of its own. */
function heldBack(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 1; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return mark === END && (text.endsWith('\r') || text.endsWith('\x1b')) ? 1 : 0;
}

function asTyped(pasted: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is left out
  return pasted.replaceAll(/\r\n?|\n/g, LINE_FEED_BYTES).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

const LINE_FEED_BYTES = Buffer.from(PASTED_LINE_FEED).toString('latin1');
