/** The number of colours that a terminal shows. */
export type ColourDepth = 'none' | '16' | '256' | 'true';

/**
 * The colours that the environment promises. `NO_COLOR` (no-color.org) and `FORCE_COLOR` (0 to 3, force-color.org) are the person's word and
 * go first; then `COLORTERM`, then the name of the terminal.
 */
export function colourDepth(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  if ((env['NO_COLOR'] ?? '') !== '') return 'none';
  const forced = FORCED[env['FORCE_COLOR'] ?? ''];
  if (forced !== undefined) return forced;
  const found = depthOfTerminal(env);
  return found === 'none' && (env['FORCE_COLOR'] ?? '') !== '' ? '16' : found;
}

const FORCED: Readonly<Record<string, ColourDepth>> = {0: 'none', false: 'none', 1: '16', 2: '256', 3: 'true'};

function depthOfTerminal(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  const term = env['TERM'] ?? '';
  if (term === '' || term === 'dumb' || term.startsWith('vt')) return 'none';
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return 'true';
  if (/-(?:direct|truecolor)$|^xterm-(?:kitty|ghostty)$|^(?:alacritty|wezterm|foot)\b/.test(term)) return 'true';
  return /256/.test(term) ? '256' : '16';
}
