import xterm from '@xterm/headless';
import {describe, expect, it} from 'vitest';
import {useCurrentWidths} from '../../../src/exec/terminal/terminal-widths.ts';

/** The characters of each cell of a row, and how many columns it has. */
async function row(text: string): Promise<readonly (readonly [string, number])[]> {
  const emulator = new xterm.Terminal({cols: 12, rows: 2, allowProposedApi: true});
  useCurrentWidths(emulator);
  await new Promise<void>((resolve) => emulator.write(text, resolve));
  const line = emulator.buffer.active.getLine(0);
  return Array.from({length: 12}, (_, at) => line?.getCell(at)).flatMap((cell) =>
    cell === undefined || cell.getChars() === '' ? [] : [[cell.getChars(), cell.getWidth()] as const],
  );
}

describe('how wide an emulator takes characters to be', () => {
  it.each<[name: string, text: string, cells: readonly (readonly [string, number])[]]>([
    [
      'letters',
      'aé',
      [
        ['a', 1],
        ['é', 1],
      ],
    ],
    [
      'Han',
      '日a',
      [
        ['日', 2],
        ['a', 1],
      ],
    ],
    [
      'emoji, which were narrow in Unicode 6',
      '😀a✅b',
      [
        ['😀', 2],
        ['a', 1],
        ['✅', 2],
        ['b', 1],
      ],
    ],
    [
      'marks are part of the letter before',
      'e\u0301a',
      [
        ['e\u0301', 1],
        ['a', 1],
      ],
    ],
    [
      'joiners, too',
      '👩\u200da',
      [
        ['👩\u200d', 2],
        ['a', 1],
      ],
    ],
    [
      'frames',
      '─│',
      [
        ['─', 1],
        ['│', 1],
      ],
    ],
  ])('%s', async (_, text, cells) => {
    expect(await row(text)).toEqual(cells);
  });
});
