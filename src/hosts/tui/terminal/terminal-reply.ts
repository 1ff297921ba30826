/** A terminal's answer to a query; not typed by the person. */
export type TerminalReply =
  | {readonly type: 'kittyFlags'; readonly flags: number}
  | {readonly type: 'attributes'}
  /** DECRPM; 1 and 2 (set, reset) mean that the terminal has the mode and it can be changed. */
  | {readonly type: 'mode'; readonly mode: number; readonly isKnown: boolean}
  | {readonly type: 'background'; readonly background: 'dark' | 'light'}
  | {readonly type: 'cursor'; readonly row: number; readonly column: number}
  /** A reply to a query that was not sent from here. */
  | {readonly type: 'other'};

/** The reply that a sequence is; undefined for a key. */
export function terminalReply(sequence: string): TerminalReply | undefined {
  if (!sequence.startsWith('\x1b')) return undefined;
  const text = sequence.slice(1);
  return text.startsWith(']') ? backgroundOf(text) : controlReply(text);
}

function controlReply(text: string): TerminalReply | undefined {
  const [, flags] = /^\[\?(\d+)u$/.exec(text) ?? [];
  if (flags !== undefined) return {type: 'kittyFlags', flags: Number(flags)};
  if (/^\[[?>=][\d;]*c$/.test(text)) return {type: text[1] === '?' ? 'attributes' : 'other'};
  const [, mode, value] = /^\[\?(\d+);(\d+)\$y$/.exec(text) ?? [];
  if (mode !== undefined) return {type: 'mode', mode: Number(mode), isKnown: value === '1' || value === '2'};
  // With 1 in front it is F3 with a modifier, in some terminals.
  const [, row, column] = /^\[\??(?!1;)(\d+);(\d+)R$/.exec(text) ?? [];
  if (row !== undefined) return {type: 'cursor', row: Number(row), column: Number(column)};
  return /^[P_^X]./.test(text) ? {type: 'other'} : undefined;
}

/** `COLORFGBG` of rxvt and others: the number of the background's colour is the last one. */
export function backgroundFromEnv(env: Readonly<Record<string, string | undefined>>): 'dark' | 'light' | undefined {
  const [, colour] = /;(\d+)$/.exec(env['COLORFGBG'] ?? '') ?? [];
  if (colour === undefined) return undefined;
  return colour === '7' || (Number(colour) >= 9 && Number(colour) <= 15) ? 'light' : 'dark';
}

/** XParseColor: `rgb:ffff/ffff/ffff` with one to four digits each, or `#rrggbb`. */
function backgroundOf(text: string): TerminalReply {
  const [, ...rgb] = /^\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(text) ?? [];
  const hex = /^\]11;#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(text)?.slice(1) ?? [];
  const [red, green, blue] = [...rgb, ...hex].map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  if (red === undefined || green === undefined || blue === undefined) return {type: 'other'};
  return {type: 'background', background: 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark'};
}
