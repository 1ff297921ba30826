import {FettleError} from '../../base/errors.ts';
import type {GitEnvironment} from '../../workspace/ignore/git-settings.ts';
import type {GrepQuery, GrepResult} from '../engine.ts';
import {type FileLines, grepResult} from '../grep-result.ts';
import type {GrepRoot} from '../grep-root.ts';
import {searchable} from '../ignored-path.ts';
import {takesCrlf, withEitherLineEnd} from '../line-end-patterns.ts';
import {compareCodePoints} from '../path-order.ts';
import {RipgrepOutput} from './ripgrep-output.ts';
import {type RipgrepEnd, runRipgrep} from './ripgrep-process.ts';
import {grepSingleByte, looksBeyondAscii, NOT_UTF8} from './single-byte-files.ts';

export interface Ripgrep {
  readonly program: string;
  readonly root: GrepRoot;
  readonly env: GitEnvironment;
}

/**
 * Searches with ripgrep, one process as a rule. ripgrep answers in any order, so all is collected and sorted; where that becomes too much
 * and not any match will do, a second run only names the files and a third reads the first of them, so that the same matches are returned on every run.
 * Undefined: ripgrep cannot be run here. Throws BAD_ARGS for a broken pattern or glob, CANCELLED.
 */
export async function grepWithRipgrep(ripgrep: Ripgrep, query: GrepQuery, signal: AbortSignal): Promise<GrepResult | undefined> {
  const search = openSearch(ripgrep, query, signal);
  const first = await search.run([...BINARY_AWARE, ...perFileLimit(query), ...query.globs.flatMap(glob), ...NEVER], [search.target]);
  if (first.end.unusable) return undefined;
  const decoded = await decodedFiles(ripgrep, search);
  if (first.flooded && query.anyMatches !== true) return grepFlood(search, decoded);
  const files = [...(await completeFiles(search, first.output)).filter(({path}) => !decoded.has(path)), ...decoded.values()];
  const wanted = new Set(
    ripgrep.root.file === undefined
      ? await searchable([...first.output.files.keys(), ...decoded.keys()], query, ripgrep.env)
      : [ripgrep.root.file],
  );
  return grepResult(
    files.filter(({path}) => wanted.has(path)),
    query,
    {timedOut: search.timedOut()},
  );
}

/** One query: its limits of time and the way to start ripgrep for it. */
interface Search {
  readonly query: GrepQuery;
  readonly target: string;
  readonly timedOut: () => boolean;
  readonly run: (flags: readonly string[], paths: readonly string[], isLate?: boolean) => Promise<Run>;
  /** Paths that contain a match, sorted. */
  readonly list: (pattern?: string) => Promise<string[]>;
}

interface Run {
  readonly output: RipgrepOutput;
  readonly end: RipgrepEnd;
  readonly flooded: boolean;
}

/** `--binary` reads on after a NUL (which is taken for a line end: no line grows without bound) and says where it was. */
const BINARY_AWARE = ['--binary'];
const LINES = ['--null', '--line-number', '--no-heading', '--with-filename'];
/** Names that the walker never lists either. */
const NEVER = ['--glob=!.git', '--glob=!.fettle-[0-9]*-*.tmp'];
/** A NUL before this byte makes a file binary. Source: "microcode tools › grep". */
const BINARY_WITHIN = 8192;
/** More than this is not collected. */
const FLOOD_BYTES = 8 * 1024 * 1024;
const FLOOD_MATCHES = 4096;
/** Milliseconds that a search out of time may still take to read the matches of known files. */
const GRACE_MS = 500;

function openSearch({program, root, env}: Ripgrep, query: GrepQuery, signal: AbortSignal): Search {
  const deadline = AbortSignal.timeout(query.timeoutMs);
  let timedOut = false;
  const start = async (args: readonly string[], limit: AbortSignal, onOutput: (chunk: Buffer) => boolean): Promise<RipgrepEnd> => {
    const end = await runRipgrep({program, args, cwd: root.folder, env, onOutput}, AbortSignal.any([signal, limit]));
    if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'The search was cancelled.'});
    if (end.code === 2 && end.stderr !== '' && !end.unusable) throw badPattern(end.stderr);
    timedOut ||= end.code === null && limit.aborted;
    return end;
  };
  const argsOf = (flags: readonly string[], paths: readonly string[]): string[] => [
    ...commonFlags(query),
    ...flags,
    '--',
    query.multiline ? withEitherLineEnd(query.pattern) : query.pattern,
    ...paths,
  ];
  return {
    query,
    target: `./${root.file ?? ''}`,
    timedOut: () => timedOut,
    async run(flags, paths, isLate = false) {
      const output = new RipgrepOutput(query.maxLineChars);
      let flooded = false;
      const limit = isLate && deadline.aborted ? AbortSignal.timeout(GRACE_MS) : deadline;
      const end = await start(argsOf([...LINES, ...flags], paths), limit, (chunk) => {
        output.push(chunk);
        flooded = isLate ? output.matches > query.maxMatches : isFlood(output, query);
        return !flooded;
      });
      output.end();
      return {output, end, flooded};
    },
    async list(pattern) {
      const chunks: Buffer[] = [];
      const flags = ['--null', '--files-with-matches', ...BINARY_AWARE, ...query.globs.flatMap(glob), ...NEVER];
      const args = pattern === undefined ? argsOf(flags, ['./']) : [...walkFlags(query), ...flags, '--', pattern, `./${root.file ?? ''}`];
      await start(args, deadline, (chunk) => chunks.push(chunk) > 0);
      const paths = Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1);
      return (await searchable(paths.map(withoutDot), query, env)).toSorted(compareCodePoints);
    },
  };
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

function commonFlags(query: GrepQuery): string[] {
  return [
    '--color=never',
    '--no-messages',
    '--no-mmap',
    '--no-context-separator',
    `--context=${query.contextLines}`,
    ...walkFlags(query),
    ...(query.caseInsensitive ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline'] : []),
    ...(takesCrlf(query.pattern) ? ['--crlf'] : []),
  ];
}

function walkFlags(query: GrepQuery): string[] {
  return [
    ...(query.hidden ? ['--hidden'] : []),
    ...(query.ignoreFiles ? [] : ['--no-ignore']),
    ...(query.toolIgnoreFiles === false ? ['--no-ignore-dot'] : []),
    ...(query.requireGit ? [] : ['--no-require-git']),
    // Only on request: it makes ripgrep ask for the size of every file, a sixth of its time on a large tree.
    ...(query.maxFileBytes === undefined ? [] : [`--max-filesize=${query.maxFileBytes}`]),
  ];
}

function perFileLimit({maxMatches}: GrepQuery): string[] {
  return [`--max-count=${maxMatches + 1}`];
}

function glob(pattern: string): string[] {
  return [`--glob=${pattern}`];
}

function isFlood({matches, bytes}: RipgrepOutput, {maxMatches}: GrepQuery): boolean {
  return matches > Math.max(FLOOD_MATCHES, 4 * maxMatches) || bytes > FLOOD_BYTES;
}

function badPattern(stderr: string): FettleError {
  const lines = stderr.replace(/^rg: /, '').trimEnd().split('\n');
  const end = lines.indexOf('');
  return new FettleError({
    code: 'BAD_ARGS',
    message: (end < 0 ? lines : lines.slice(0, end)).slice(0, 8).join('\n'),
    hint: hintFor(stderr),
  });
}

function hintFor(problem: string): string {
  if (problem.includes('parsing glob')) return 'Globs are like *.ts, src/** or *.{c,h}; a backslash before [ ] { } * ? takes them as text.';
  if (problem.includes('is not allowed in a regex'))
    return 'Each line is searched for itself: look for a part of one line, or allow several.';
  return 'Patterns are in Rust regex syntax: no look-around, no back-references; escape ( ) [ ] { } . * + ? | ^ $ to search for them as text.';
}

/** Leaves out binary files, and reads those again in which a NUL comes late: it does not end a text. */
async function completeFiles(search: Search, output: RipgrepOutput): Promise<FileLines[]> {
  const texts: FileLines[] = [];
  const late: string[] = [];
  for (const [path, {lines, nulAt}] of output.files) {
    if (nulAt === undefined) texts.push({path, lines});
    else if (nulAt >= BINARY_WITHIN) late.push(path);
  }
  late.sort(compareCodePoints);
  return late.length === 0 ? texts : [...texts, ...(await readInOrder(search, late, ['--text']))];
}

/**
 * Files of Latin-1 and Windows-1252 by their paths, searched as they are read: ripgrep names what is not UTF-8 and takes characters of the
 * pattern for UTF-8 alone.
 */
async function decodedFiles({root}: Ripgrep, search: Search): Promise<ReadonlyMap<string, FileLines>> {
  const {query} = search;
  if (!looksBeyondAscii(query.pattern)) return new Map();
  const found = await grepSingleByte(root.folder, await search.list(NOT_UTF8), query);
  return new Map(found.map((file) => [file.path, file]));
}

async function grepFlood(search: Search, decoded: ReadonlyMap<string, FileLines>): Promise<GrepResult> {
  const {query} = search;
  const paths = search.target === './' ? await search.list() : [search.target];
  const found: FileLines[] = [];
  let count = 0;
  for (let at = 0, size = 16; at < paths.length && count <= query.maxMatches; at += size, size *= 2) {
    const files = await readInOrder(search, paths.slice(at, at + size), BINARY_AWARE);
    found.push(...files);
    count += files.reduce((sum, {lines}) => sum + lines.filter(({isMatch}) => isMatch).length, 0);
  }
  const files = [...found.filter(({path}) => !decoded.has(path)), ...decoded.values()];
  return grepResult(files, query, {timedOut: search.timedOut()});
}

/** One thread goes through the files in the order of the arguments, so it can be stopped at the limit. */
async function readInOrder(search: Search, paths: readonly string[], flags: readonly string[]): Promise<FileLines[]> {
  const named = paths.map((path) => (path.startsWith('./') ? path : `./${path}`));
  const {output} = await search.run(['--threads=1', ...perFileLimit(search.query), ...flags], named, true);
  if (flags !== BINARY_AWARE) return Array.from(output.files, ([path, {lines}]) => ({path, lines}));
  return completeFiles(search, output);
}
