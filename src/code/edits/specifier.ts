import {posix} from 'node:path';
import {importLines} from './import-lines.ts';

/**
 * What a module writes to import another, in the manner of the imports of these texts: with the ending of the source
 * (`./a.ts`), that of the output (`./a.js`), or none.
 */
export function specifierTo(from: string, to: string, texts: readonly string[]): string {
  const manner = mannerOf(texts);
  const path = posix.relative(posix.dirname(from), to);
  const relative = path.startsWith('.') ? path : `./${path}`;
  if (manner === 'source') return relative;
  const bare = relative.replace(/\.[cm]?[jt]sx?$/, '');
  if (manner === 'none') return bare.replace(/\/index$/, '') || '.';
  return `${bare}.${/\.([cm]?)[jt]sx?$/.exec(relative)?.[1] ?? ''}js`;
}

type Manner = 'source' | 'output' | 'none';

function mannerOf(texts: readonly string[]): Manner {
  const module = texts.flatMap(importLines).find((line) => line.module.startsWith('.'))?.module;
  return module === undefined ? 'none' : mannerOfModule(module);
}

function mannerOfModule(module: string): Manner {
  if (/\.(?:[cm]?tsx?|jsx)$/.test(module)) return 'source';
  return /\.[cm]?js$/.test(module) ? 'output' : 'none';
}
