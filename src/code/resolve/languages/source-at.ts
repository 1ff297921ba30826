import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase} from '../code-base.ts';

/** The source that a specifier without certain ending means: the file itself, `.js` that was written `.ts`, with an ending, or an index. */
export function sourceAt(path: string, base: CodeBase): StoredFile | undefined {
  const clean = posix.normalize(path).replace(/\/$/, '');
  if (clean.startsWith('..')) return undefined;
  for (const candidate of candidates(clean === '.' ? '' : clean)) {
    const found = base.at(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

function* candidates(path: string): Generator<string> {
  const written = /^(.*)\.([cm]?)js(x?)$/s.exec(path);
  if (written !== null) {
    const [, stem = '', variant = '', x = ''] = written;
    yield `${stem}.${variant}ts${x}`;
    if (variant === '' && x === '') yield `${stem}.tsx`;
    yield path;
    yield `${stem}.d.${variant}ts`;
  }
  if (/\.[cm]?[jt]sx?$|\.json$/.test(path)) yield path;
  if (path !== '') for (const ending of ENDINGS) yield path + ending;
  for (const ending of ENDINGS) yield path === '' ? `index${ending}` : `${path}/index${ending}`;
}

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
