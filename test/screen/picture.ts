import type {TestScreen} from './test-screen.ts';

/** The screen as a box, with the cursor as ▏ and without the empty rows below. */
export function pictureOf({terminal}: TestScreen): string {
  const {row, column, isShown} = terminal.cursor();
  const rows = terminal.screen().map((text, at) => {
    if (!isShown || at !== row) return text;
    const cells = Array.from(text.padEnd(column));
    return [...cells.slice(0, column), '▏', ...cells.slice(column)].join('');
  });
  return [...terminal.scrollback().map((text) => `^ ${text}`), ...rows.map((text) => `  ${text}`)].join('\n').trimEnd();
}
