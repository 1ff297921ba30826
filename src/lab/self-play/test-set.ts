import {createHash} from 'node:crypto';
import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import {parseJson} from '../../base/json.ts';
import {isPlainPath, type ImportedFile} from '../suite/imports/import-files.ts';
import {TESTS_AT} from './role-prompts.ts';

/** Tests as a role wrote them. */
export interface TestSet {
  /** SHA-256 of files and shell line. */
  readonly digest: string;
  /** A shell line, run from the working folder; exit code 0 means passed. */
  readonly command: string;
  readonly files: readonly ImportedFile[];
}

const MOST_FILES = 20;
const MOST_CHARS = 256 * 1024;

const Answer = z.object({
  // No shell is started with a NUL character.
  command: z.string().check(z.minLength(1), z.maxLength(2000), z.regex(/^[^\0]*$/)),
  tests: z.array(z.object({path: z.string(), content: z.string()})).check(z.minLength(1), z.maxLength(MOST_FILES)),
});

/** Reads the answer of a role that writes tests. Throws BAD_ARGS for anything but a test set: invalid JSON, no files, paths that lead out, too large. */
export function readTestSet(text: string): TestSet {
  const parsed = Answer.safeParse(parseJson(text));
  if (!parsed.success) throw unusable(`the answer is not a shell line with 1 to ${MOST_FILES} files`);
  const {command, tests} = parsed.data;
  const files = tests.map(({path, content}) => ({
    path: path.replace(/^(?:\.\/)?/, '').replace(new RegExp(`^${TESTS_AT}/`), ''),
    bytes: new TextEncoder().encode(content),
  }));
  const wrong = files.find(({path}) => !isPlainPath(path));
  if (wrong !== undefined) throw unusable(`${JSON.stringify(wrong.path)} is not a path below ${TESTS_AT}/`);
  const paths = files.map(({path}) => path);
  if (paths.some((path, at) => paths.some((other, n) => n !== at && (other === path || other.startsWith(`${path}/`)))))
    throw unusable('two files have the same path');
  if (tests.reduce((sum, {content}) => sum + content.length, 0) > MOST_CHARS)
    throw unusable(`the files are larger than ${MOST_CHARS} characters`);
  const digest = createHash('sha256')
    .update(JSON.stringify([command, tests]))
    .digest('hex');
  return {digest, command, files};
}

function unusable(why: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `No test set: ${why}.`});
}
