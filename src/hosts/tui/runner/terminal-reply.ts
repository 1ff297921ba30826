/** What a terminal answers to a question. Nobody typed it. */
export type TerminalReply =
  | {readonly type: 'kittyFlags'; readonly flags: number}
  | {readonly type: 'attributes'}
  /** DECRPM; 1 and 2 (set, reset) mean that the terminal has the mode and it can be changed. */
  | {readonly type: 'mode'; readonly mode: number; readonly isKnown: boolean}
  | {readonly type: 'background'; readonly background: 'dark' | 'light'}
  | {readonly type: 'cursor'; readonly row: number; readonly column: number}
  /** Of a question that nobody here asked. */
  | {readonly type: 'other'};

/** The reply that a sequence is; undefined for a key. */
export function terminalReply(sequence: string): TerminalReply | undefined {
  const [, flags] = /^\x1b\[\?(\d+)u$/.exec(sequence) ?? [];
  if (flags !== undefined) return {type: 'kittyFlags', flags: Number(flags)};
  if (/^\x1b\[[?>=][\d;]*c$/.test(sequence)) return {type: sequence[2] === '?' ? 'attributes' : 'other'};
  const [, mode, value] = /^\x1b\[\?(\d+);(\d+)\$y$/.exec(sequence) ?? [];
  if (mode !== undefined) return {type: 'mode', mode: Number(mode), isKnown: value === '1' || value === '2'};
  // F3 with a modifier is CSI 1;2R in some terminals; a cursor in the first row is asked for by nobody.
  const [, row, column] = /^\x1b\[\??(\d+);(\d+)R$/.exec(sequence) ?? [];
  if (row !== undefined) return {type: 'cursor', row: Number(row), column: Number(column)};
  if (/^\x1b\]/.test(sequence)) return backgroundOf(sequence);
  return /^\x1b[P_^X]/.test(sequence) && sequence.length > 2 ? {type: 'other'} : undefined;
}

/** `COLORFGBG` of rxvt and others: the number of the background's colour is the last one. */
export function backgroundFromEnv(env: Readonly<Record<string, string | undefined>>): 'dark' | 'light' | undefined {
  const [, colour] = /;(\d+)$/.exec(env['COLORFGBG'] ?? '') ?? [];
  if (colour === undefined) return undefined;
  return colour === '7' || (Number(colour) >= 9 && Number(colour) <= 15) ? 'light' : 'dark';
}

/** XParseColor: `rgb:ffff/ffff/ffff` with one to four digits each, or `#rrggbb`. */
function backgroundOf(sequence: string): TerminalReply {
  const [, ...rgb] = /^\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(sequence) ?? [];
  const hex = /^\x1b\]11;#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(sequence)?.slice(1) ?? [];
  const [red, green, blue] = [...rgb, ...hex].map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  if (red === undefined || green === undefined || blue === undefined) return {type: 'other'};
  return {type: 'background', background: 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark'};
}
