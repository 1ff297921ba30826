import {createHash} from 'node:crypto';
import {mutations, spread} from './mutate-patch.ts';
import type {TestSet} from './test-set.ts';

/**
 * Changes one expectation of a test set at a time, at most `most` of them: the result should fail with a patch that it passed with. Where none does, the
 * patch decides the result and not the test, such as one that ends every program with exit code 0. Empty if no line can be changed so.
 */
export function mutateTests({command, files}: TestSet, most = MOST): readonly TestSet[] {
  const texts = files.map(({bytes}) => new TextDecoder().decode(bytes).split('\n'));
  const all = texts.flatMap((lines, file) =>
    lines.flatMap((line, at) => (CHECK.test(line) && !LOADS.test(line) ? changesOf(line).map((changed) => ({file, at, changed})) : [])),
  );
  return spread(all, most).map(({file, at, changed}) => {
    const text = (texts[file] ?? []).with(at, changed).join('\n');
    const digest = createHash('sha256')
      .update(JSON.stringify([command, file, text, texts]))
      .digest('hex');
    return {command, digest, files: files.map((one, n) => (n === file ? {...one, bytes: new TextEncoder().encode(text)} : one))};
  });
}

const MOST = 8;

/** A line that compares something, in the words of several test libraries. */
const CHECK = /assert|expect|equal|should|check|verify|require|[=!]=|<|>|\btest\b|\bgrep\b|\bdiff\b|-eq|-ne/i;

/** A line that loads code: changed, it would fail for that. */
const LOADS = /^\s*(?:import\b|from\b|#\s*include|use\b|using\b|package\b|source\b|\.\s)|\brequire\(/;

function changesOf(line: string): readonly string[] {
  const strings = [...line.matchAll(/(["'])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(({0: all, 1: quote = '', index}) => {
    const end = index + all.length - 1;
    return `${line.slice(0, end)}~${quote}${line.slice(end + 1)}`;
  });
  return [...mutations(line), ...strings];
}
