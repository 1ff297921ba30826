import {isRunnerFile} from '../rollout/tree/runner-files.ts';
import {TESTS_AT} from './role-prompts.ts';

/** A patch without the changes that it may not make. */
export interface CleanPatch {
  readonly patch: string;
  /** Added and removed lines. */
  readonly lines: number;
  /** Paths whose changes were dropped: tests, and files that test runners load. */
  readonly dropped: readonly string[];
}

/** Drops the changes of tests and runner files from the difference of a tree: whoever writes a patch does not decide how it is judged. */
export function cleanPatch(text: string): CleanPatch {
  const sections = patchSections(text);
  const kept = sections.filter(({paths}) => paths.length > 0 && !paths.some(isJudging));
  const dropped = sections.filter((section) => !kept.includes(section)).flatMap(({paths}) => paths.slice(0, 1));
  return {
    patch: kept.map((section) => section.text).join(''),
    lines: kept.reduce((sum, section) => sum + changedLines(section.text), 0),
    dropped,
  };
}

/** The part of a patch that changes one file. */
export interface PatchSection {
  readonly text: string;
  /** The path of both sides; without any the section cannot be read. */
  readonly paths: readonly string[];
}

/** Divides a patch by file; what is before the first is not part of it. For git only `\n` ends a line: what follows `\r` is content. */
export function patchSections(text: string): readonly PatchSection[] {
  return text
    .split(/(?<![^\n])(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => ({text: part, paths: pathsOf(part)}));
}

/** True for a section that removes its file. */
export function isWhollyDeleted(section: string): boolean {
  return /^deleted file mode /m.test(section.split(/^@@ /m, 1)[0] ?? '');
}

/** Without renames both names are the same, so that the line can be halved whatever is in the name (git-diff(1), "generating patch text"). */
function pathsOf(section: string): readonly string[] {
  const line = (section.split('\n', 1)[0] ?? '').slice('diff --git '.length);
  const half = (line.length - 1) / 2;
  const [one, other] = [line.slice(0, half), line.slice(half + 1)];
  const path = one.replace(/^"?a\//, '').replace(/"$/, '');
  return Number.isInteger(half) && path === other.replace(/^"?b\//, '').replace(/"$/, '') ? [path] : [];
}

/** True for a test, by the names that runners of several languages look for, for what runners load by themselves, and for installed packages. */
function isJudging(path: string): boolean {
  return isRunnerFile(path) || path.split('/').some((name) => PACKAGES.has(name)) || TEST_PATH.test(`/${path}`);
}

const PACKAGES: ReadonlySet<string> = new Set([TESTS_AT, 'node_modules', 'site-packages', '__pycache__', '.venv', 'venv']);

const TEST_PATH =
  /\/(?:tests?|__tests__|spec|specs|testing|hidden-tests)\/|\/(?:test_[^/]*|[^/]*_tests?\.[^/]+|[^/]*[.-](?:test|spec)\.[^/]+)$/i;

function changedLines(section: string): number {
  let inHunk = false;
  let count = 0;
  for (const line of section.split('\n')) {
    if (line.startsWith('@@ ')) inHunk = true;
    else if (inHunk && /^[+-]/.test(line)) count += 1;
    else if (line.startsWith('GIT binary patch')) count += 1;
  }
  return count;
}
