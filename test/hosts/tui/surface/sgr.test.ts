import {expect, it} from 'vitest';
import {sgrBetween} from '../../../../src/hosts/tui/surface/sgr.ts';
import type {Look} from '../../../../src/hosts/tui/cells/look.ts';
import {PLAIN} from '../../../../src/hosts/tui/themes/looks.ts';

it.each<[Look, Look, string]>([
  [PLAIN, PLAIN, ''],
  [PLAIN, {fg: 1}, '\x1b[31m'],
  [PLAIN, {fg: 12, bg: 8}, '\x1b[94;100m'],
  [PLAIN, {fg: 200, bg: 22}, '\x1b[38;5;200;48;5;22m'],
  [PLAIN, {fg: '#0a141e'}, '\x1b[38;2;10;20;30m'],
  [{fg: 1}, {fg: 1, bold: true}, '\x1b[1m'],
  [{fg: 1, bold: true}, {fg: 2, bold: true}, '\x1b[32m'],
  [{bold: true, fg: 1}, {dim: true, fg: 1}, '\x1b[22;2m'],
  [{bold: true, dim: true, fg: 1}, {dim: true, fg: 1}, '\x1b[22;2m'],
  [{italic: true, underline: true, fg: 1}, {underline: true}, '\x1b[23;39m'],
  [{inverse: true, strike: true, bg: 1}, PLAIN, '\x1b[m'],
])('from %j to %j', (from, to, codes) => {
  expect(sgrBetween(from, to)).toBe(codes);
});
