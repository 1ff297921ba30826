import {createHash} from 'node:crypto';
import {mutations, spread} from './mutate-patch.ts';
import type {TestSet} from './test-set.ts';

/**
 * Changes one expectation of a test set at a time, at most `most` of them: the result should fail with a patch that it passed with. Where none does, the
 * patch decides the result and not the test, such as one that ends every program with exit code 0. Empty if no line can be changed so.
 */
export function mutateTests(tests: TestSet, most = MOST): readonly TestSet[] {
  const {command, files} = tests;
  const texts = files.map(({bytes}) => new TextDecoder().decode(bytes).split('\n'));
  const inFiles = texts.flatMap((lines, file) =>
    lines.flatMap((line, at) => {
      const changes = (CHECK.test(line) || SHELL_CHECK.test(line)) && !LOADS.test(line) ? changesOf(line) : [];
      return changes.map((changed) => () => withFile(tests, file, lines.with(at, changed).join('\n')));
    }),
  );
  const inCommand = SHELL_CHECK.test(command) ? changesOf(command).map((changed) => () => ({...tests, command: changed})) : [];
  const chosen = spread([...inFiles, ...inCommand], most).map((make) => make());
  return chosen.map((one) => ({...one, digest: digestOf(one)}));
}

function withFile(tests: TestSet, file: number, text: string): TestSet {
  return {...tests, files: tests.files.map((one, at) => (at === file ? {...one, bytes: new TextEncoder().encode(text)} : one))};
}

function digestOf({command, files}: TestSet): string {
  const texts = files.map(({path, bytes}) => [path, new TextDecoder().decode(bytes)]);
  return createHash('sha256')
    .update(JSON.stringify(['changed', command, texts]))
    .digest('hex');
}

const MOST = 8;

/** A line that compares something, in the words of several test libraries. */
const CHECK = /assert|expect|equal|should|check|verify|require|[=!]=|<|>|\btest\b|\bgrep\b|\bdiff\b|-eq|-ne/i;

/** A shell line that compares by itself: one that only starts a runner would fail for being broken. */
const SHELL_CHECK = /(?:^|[\s;&|])(?:\[\[?|test)\s.*\s(?:==?|!=|-eq|-ne|-[gl][et])\s|(?:^|[\s;&|])(?:grep|diff|cmp)\s/;

/** A line that loads code: changed, it would fail for that. */
const LOADS = /^\s*(?:import\b|from\b|#\s*include|use\b|using\b|package\b|source\b|\.\s)|\brequire\(/;

function changesOf(line: string): readonly string[] {
  const strings = [...line.matchAll(/(["'])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(({0: all, 1: quote = '', index}) => {
    const end = index + all.length - 1;
    return `${line.slice(0, end)}~${quote}${line.slice(end + 1)}`;
  });
  const word = line.replace(/(?<=\s==?\s)[^\s"'()[\]{};]+(?=\s*(?:[\];&|]|$))/, '$&~');
  return [...mutations(line), ...strings, ...(word === line ? [] : [word])];
}
