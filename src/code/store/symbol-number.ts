/** The number of a symbol in the whole index: its file, and a number in the file that stays when symbols before it come or go. */
export function symbolNumber(file: number, inFile: number): number {
  return file * SYMBOLS_IN_FILE + inFile;
}

export function fileOf(symbol: number): number {
  return Math.floor(symbol / SYMBOLS_IN_FILE);
}

export function inFileOf(symbol: number): number {
  return symbol % SYMBOLS_IN_FILE;
}

/** A file has fewer: it would be larger than what is indexed. */
export const SYMBOLS_IN_FILE = 2 ** 20;

/** Instead of a symbol: the file as a module, which is what an import of all of it means. */
export function moduleNumber(file: number): number {
  return symbolNumber(file, SYMBOLS_IN_FILE - 1);
}

export function isModuleNumber(symbol: number): boolean {
  return inFileOf(symbol) === SYMBOLS_IN_FILE - 1;
}

/** Instead of a symbol: the key of an object that declares itself, because its type has any key. No file has the number 0. */
export const ITSELF = 1;
