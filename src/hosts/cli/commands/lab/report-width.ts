/** Returns the columns that a report may use: those of the terminal, within what is comfortable to read; 80 elsewhere. */
export function reportWidth({isTTY, columns}: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> = process.stdout): number {
  return isTTY && columns > 0 ? Math.min(WIDEST, Math.max(NARROWEST, columns)) : 80;
}

const NARROWEST = 50;
const WIDEST = 120;
