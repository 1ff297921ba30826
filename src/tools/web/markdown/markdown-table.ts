import type {MarkdownFlow} from './markdown-flow.ts';

/** Collects the cells of a row; writes rows where they end. */
export interface MarkdownTable {
  cell(markdown: string): void;
  endRow(flow: MarkdownFlow): void;
}

/**
 * Creates a table of GitHub Flavored Markdown. If the first row has one cell, or cells of several lines, the
 * table only arranges the page: its cells are written one below the other.
 */
export function createTable(): MarkdownTable {
  let row: string[] = [];
  let isGrid: boolean | undefined;
  return {
    cell: (markdown) => void row.push(markdown.trim()),
    endRow(flow) {
      const cells = row;
      row = [];
      if (cells.every((cell) => cell === '')) return;
      const isFirst = isGrid === undefined;
      isGrid ??= cells.length > 1 && cells.every((cell) => !cell.includes('\n'));
      if (isGrid) flow.verbatim([rowLine(cells), ...(isFirst ? [rowLine(cells.map(() => '---'))] : [])], false);
      else for (const cell of cells) if (cell !== '') flow.verbatim(cell.split('\n'), true);
    },
  };
}

function rowLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
