/** A whole command of vim's normal mode. */
export interface VimCommand {
  readonly count: number;
  /** True if the count was typed: `G` alone is the last line. */
  readonly counted: boolean;
  readonly operator: 'd' | 'c' | 'y' | undefined;
  /** A motion, `line` for a doubled operator, or an immediate command (`x`, `p`, `i`, `r` …). */
  readonly what: string;
  /** For `f`, `t`, `F`, `T` and `r`. */
  readonly char: string | undefined;
}

/** Parses keys as a command; `incomplete` if more must follow, undefined if they form none. */
export function parseVimCommand(keys: string): VimCommand | 'incomplete' | undefined {
  const parts = COMMAND.exec(keys)?.groups;
  if (parts !== undefined && fits(parts)) return commandOf(parts);
  return PARTIAL.test(keys) ? 'incomplete' : undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

/** An operator takes a motion, or itself for whole lines. */
function fits({operator, whole, action, other}: Parts): boolean {
  if (operator === undefined) return whole === undefined;
  return action === undefined && other === undefined && (whole === undefined || whole === operator);
}

function commandOf(parts: Parts): VimCommand {
  const {count, again, find, motion, action, whole, char, other} = parts;
  return {
    count: Math.min(Number(count ?? 1) * Number(again ?? 1), MOST_TIMES),
    counted: (count ?? again) !== undefined,
    operator: parts['operator'] as VimCommand['operator'],
    what: find ?? motion ?? action ?? (whole === undefined ? 'r' : 'line'),
    char: char ?? other,
  };
}

const MOST_TIMES = 1000;

const COUNT = String.raw`[1-9]\d*(?!\d)`;
const BEFORE = String.raw`(?<count>${COUNT})?(?:(?<operator>[dcy])(?<again>${COUNT})?)?`;
const REST = [
  '(?<find>[fFtT])(?<char>.+)',
  '(?<motion>gg|iw|[hjklwbe0^$G;,])',
  '(?<whole>[dcy])',
  '(?<action>[iaIAoOxXDCpPu.])',
  'r(?<other>.+)',
].join('|');
const COMMAND = new RegExp(`^${BEFORE}(?:${REST})$`, 'su');
const PARTIAL = new RegExp(`^${BEFORE}[fFtTgir]?$`, 'su');
