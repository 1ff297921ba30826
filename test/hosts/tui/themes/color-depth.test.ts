import {expect, it} from 'vitest';
import {STYLE_NAMES} from '../../../../src/hosts/tui/cells/line.ts';
import {colourDepth, type ColourDepth} from '../../../../src/hosts/tui/themes/color-depth.ts';
import {terminalTheme} from '../../../../src/hosts/tui/themes/terminal-themes.ts';

it.each<[Record<string, string>, ColourDepth]>([
  [{}, 'none'],
  [{TERM: 'dumb', COLORTERM: 'truecolor'}, 'none'],
  [{TERM: 'vt100'}, 'none'],
  [{TERM: 'xterm'}, '16'],
  [{TERM: 'xterm-256color'}, '256'],
  [{TERM: 'tmux-256color', COLORTERM: 'truecolor'}, 'true'],
  [{TERM: 'xterm-kitty'}, 'true'],
  [{TERM: 'xterm-256color', NO_COLOR: '1'}, 'none'],
  [{TERM: 'xterm', NO_COLOR: ''}, '16'],
  [{TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '3'}, 'none'],
  [{TERM: 'xterm', FORCE_COLOR: '3'}, 'true'],
  [{TERM: 'xterm-256color', FORCE_COLOR: '0'}, 'none'],
  [{TERM: 'dumb', FORCE_COLOR: 'true'}, '16'],
])('%j has %s colours', (env, depth) => {
  expect(colourDepth(env)).toBe(depth);
});

it.each(['dark', 'light'] as const)('every style has a look, and no theme asks for more than the terminal has (%s)', (background) => {
  for (const depth of ['none', '16', '256', 'true'] as const) {
    const looks = terminalTheme(background, depth);
    expect(Object.keys(looks).toSorted()).toEqual(STYLE_NAMES.toSorted());
    const colours = Object.values(looks).flatMap(({fg, bg}) => [fg, bg].filter((colour) => colour !== undefined));
    if (depth === 'none') expect(colours).toEqual([]);
    if (depth === '16') expect(colours.every((colour) => typeof colour === 'number' && colour < 16)).toBe(true);
    expect([looks.addedPart.bg !== undefined, looks.addedPart.underline === true]).toEqual(
      depth === '256' || depth === 'true' ? [true, false] : [false, true],
    );
  }
});
