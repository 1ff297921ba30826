import {readFile} from 'node:fs/promises';
import {relative} from 'node:path';
import {toFettleError} from '../../base/errors.ts';
import {languageOf} from '../../code/languages/all.ts';
import type {AskedText, Diagnosed, LanguageServers} from '../../code/servers/language-servers.ts';
import type {ServerDiagnostic} from '../../code/servers/server-words.ts';
import {headOf} from '../output/truncate-bytes.ts';

/** Access to the language servers' diagnostics of changed files. */
export interface Diagnosing {
  readonly servers: Pick<LanguageServers, 'changed' | 'diagnostics'>;
  /** The real path of the workspace. */
  readonly root: string;
  /** Time for all files together, in milliseconds; 0: no server is asked. */
  readonly ms: number;
}

const MOST_FILES = 10;
const MOST_LINES = 20;
const MAX_LINE_BYTES = 300;

/**
 * Returns a text for the model from each server that reported something. It never turns a change into a failure,
 * and silence does not mean success.
 */
export async function diagnoseChanges(paths: readonly string[], {servers, root, ms}: Diagnosing, signal: AbortSignal): Promise<string[]> {
  await servers.changed(paths);
  if (ms <= 0) return [];
  const known = paths.flatMap((file) => {
    const language = languageOf(file);
    return language === undefined ? [] : [{file, language}];
  });
  const found = await Promise.all(known.slice(0, MOST_FILES).map(async (asked) => await diagnosed(asked, {servers, ms}, signal)));
  const answers = found.filter((answer) => answer !== undefined);
  const skipped = answers.length > 0 && known.length > MOST_FILES ? known.length - MOST_FILES : 0;
  return Object.entries(Object.groupBy(answers, ({server}) => server)).map(([server, of = []]) => textOf(server, of, {root, skipped}));
}

/** `problem`: the reason for a missing verdict. */
type Answer = {readonly file: string; readonly server: string} & (
  | {readonly diagnostics: Diagnosed['diagnostics']}
  | {readonly problem: string}
);

async function diagnosed(
  {file, language}: Omit<AskedText, 'text'>,
  {servers, ms}: Pick<Diagnosing, 'servers' | 'ms'>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  try {
    const text = await readFile(file, {encoding: 'utf8', signal});
    const answer = await servers.diagnostics({language, file, text, ms}, signal);
    return answer === undefined ? undefined : {file, ...answer};
  } catch (thrown) {
    const {code, message} = toFettleError(thrown);
    // Deleted by the same reply: there is nothing to judge.
    return code === 'NOT_FOUND' ? undefined : {file, server: language, problem: message};
  }
}

function textOf(server: string, answers: readonly Answer[], {root, skipped}: {readonly root: string; readonly skipped: number}): string {
  const problems = answers.flatMap((answer) => ('problem' in answer ? [answer.problem] : []));
  const lines = answers.flatMap((answer) =>
    'problem' in answer ? [] : answer.diagnostics.map((one) => lineOf(relative(root, answer.file), one)),
  );
  const errors = answers
    .flatMap((answer) => ('problem' in answer ? [] : answer.diagnostics))
    .filter(({severity}) => severity === 'error').length;
  const warnings = lines.length - errors;
  const verdict =
    lines.length === 0 ? 'ok' : `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return [
    `diagnostics(${server}): ${problems.length === answers.length ? 'nothing is verified' : verdict}`,
    ...lines.slice(0, MOST_LINES),
    ...(lines.length > MOST_LINES ? [`[… ${lines.length - MOST_LINES} more]`] : []),
    ...new Set(problems),
    ...(skipped === 0 ? [] : [`[${skipped} more files were not looked at]`]),
  ].join('\n');
}

function lineOf(path: string, {severity, range, message, code}: ServerDiagnostic): string {
  const place = `${path}:${range.start.line + 1}:${range.start.character + 1}`;
  return headOf(`${place} ${severity}${code === undefined ? '' : ` ${code}`}: ${message.replaceAll(/\s*\n\s*/g, ' ')}`, MAX_LINE_BYTES);
}
