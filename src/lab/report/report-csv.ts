import type {RolloutResult} from '../rollout/rollout.ts';
import {failureOf} from './measures.ts';
import type {RunResults} from './run-results.ts';

/**
 * One row for each accepted result, in the order of the plan, as RFC 4180 says: CRLF, a header, quotes where needed. A text that spreadsheets
 * would run as a formula begins with `'`. Empty: not known.
 */
export function* reportCsv({results, tasks}: RunResults): Generator<string> {
  yield line(COLUMNS.map(([name]) => name));
  const order = new Map(tasks.map(({id}, at) => [id, at]));
  const place = ({key}: RolloutResult): number => order.get(key.task) ?? tasks.length;
  const languages = new Map(tasks.map(({id, labels}) => [id, labels?.['language']]));
  const sorted = results.toSorted((a, b) => place(a) - place(b) || compareKeys(a, b));
  for (const result of sorted) yield line(COLUMNS.map(([, of]) => of(result, languages.get(result.key.task))));
}

type Cell = string | number | null | undefined;

const COLUMNS: readonly (readonly [string, (result: RolloutResult, language: string | undefined) => Cell])[] = [
  ['run', ({key}) => key.run],
  ['task', ({key}) => key.task],
  ['language', (_, language) => language],
  ['model', ({key}) => key.model],
  ['toolset', ({key}) => key.toolset],
  ['attempt', ({key}) => key.attempt],
  ['outcome', ({outcome}) => outcome],
  ['failure', failureOf],
  ['reward', ({reward}) => reward],
  ['exit_code', ({exitCode}) => exitCode],
  ['started_at', ({startedAt}) => new Date(startedAt).toISOString()],
  ['agent_ms', ({agentMs}) => Math.round(agentMs)],
  ['verify_ms', ({verifyMs}) => Math.round(verifyMs)],
  ['turns', ({usage}) => usage.turns],
  ['input_tokens', ({usage}) => usage.inputTokens],
  ['cached_tokens', ({usage}) => usage.cachedTokens],
  ['output_tokens', ({usage}) => usage.outputTokens],
  ['cost_usd', ({costUsd}) => costUsd],
  ['retries', ({retries}) => retries],
  ['version', ({version}) => version],
  ['task_digest', ({taskDigest}) => taskDigest],
  ['note', ({note}) => note],
];

function compareKeys({key: a}: RolloutResult, {key: b}: RolloutResult): number {
  const [one, other] = [a, b].map(({task, model, toolset}) => JSON.stringify([task, model, toolset]));
  return one === other ? a.attempt - b.attempt : (one ?? '') < (other ?? '') ? -1 : 1;
}

function line(cells: readonly Cell[]): string {
  return `${cells.map(field).join(',')}\r\n`;
}

function field(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null || cell === undefined ? '' : String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
