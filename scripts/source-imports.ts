// The modules that each source file imports, read from its text: values, types and what is loaded later.
import {readdirSync, readFileSync} from 'node:fs';
import {join, posix, sep} from 'node:path';

/** Paths below `src`, with slashes, and what each imports as it is written: `./x.ts`, `node:fs`. */
export type Specifiers = ReadonlyMap<string, readonly string[]>;

/** Reads the imports of every TypeScript file below a folder; packages are left out. */
export function readSpecifiers(src: string): Specifiers {
  const files = readdirSync(src, {recursive: true, encoding: 'utf8'}).filter((name) => /\.tsx?$/.test(name));
  return new Map(files.map((file) => [file.split(sep).join('/'), specifiersIn(readFileSync(join(src, file), 'utf8'))]));
}

/** Returns what a text imports, in its order, each once. */
export function specifiersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(IMPORT)].flatMap(([, specifier]) => (specifier === undefined ? [] : [specifier])))];
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+|node:[^']+)'/g;

/** Returns the path below `src` that a relative specifier of `file` means. */
export function targetOf(file: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(file), specifier));
}
