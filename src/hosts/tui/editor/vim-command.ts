/** A whole command of vim's normal mode. */
export interface VimCommand {
  readonly count: number;
  /** Whether the count was typed: `G` alone is the last line. */
  readonly counted: boolean;
  readonly operator: 'd' | 'c' | 'y' | undefined;
  /** A motion, `line` for a doubled operator, or what is done at once (`x`, `p`, `i`, `r` …). */
  readonly what: string;
  /** For `f`, `t`, `F`, `T` and `r`. */
  readonly char: string | undefined;
}

/** The command that keys make up; `incomplete` where more must follow, undefined where they are none. */
export function parseVimCommand(keys: string): VimCommand | 'incomplete' | undefined {
  const parts = COMMAND.exec(keys)?.groups;
  const operator = parts?.['operator'] as VimCommand['operator'];
  if (parts !== undefined && (operator === undefined ? parts['whole'] === undefined : fits(operator, parts))) {
    const count = Math.min(Number(parts['count'] ?? 1) * Number(parts['again'] ?? 1), MOST_TIMES);
    const counted = (parts['count'] ?? parts['again']) !== undefined;
    const what = parts['find'] ?? parts['motion'] ?? parts['action'] ?? (parts['whole'] === undefined ? 'r' : 'line');
    return {count, counted, operator, what, char: parts['char'] ?? parts['other']};
  }
  return PARTIAL.test(keys) ? 'incomplete' : undefined;
}

function fits(operator: string, {whole, action, other}: Readonly<Record<string, string | undefined>>): boolean {
  return action === undefined && other === undefined && (whole === undefined || whole === operator);
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
