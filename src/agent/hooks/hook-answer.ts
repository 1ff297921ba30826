import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import type {CommandResult} from '../../exec/command.ts';
import {factsOf, type HookEvent} from './hook-events.ts';

/** What a hook said, in one form. */
export interface HookAnswer {
  /** deny: blocked, in the way of the event. */
  readonly verdict?: 'allow' | 'ask' | 'deny' | undefined;
  readonly reason?: string | undefined;
  /** Instead of the input of the call. */
  readonly input?: JsonObject | undefined;
  /** For the model. */
  readonly context?: string | undefined;
  /** Set where everything is to end, not only this. */
  readonly stop?: string | undefined;
  /** For a person, one line each. */
  readonly notices: readonly string[];
}

export type HookRun = Pick<CommandResult, 'exitCode' | 'signal' | 'timedOut'> & {
  readonly stdout: string;
  readonly stderr: string;
  /** True: `stdout` is only the beginning. */
  readonly truncated: boolean;
};

/**
 * Exit code 2 blocks, also with nothing on stderr; 0 with JSON on stdout says more; every other code is shown, and all goes on. What a
 * hook that guards something did not say in time, or cannot be understood, is a denial.
 */
export function readAnswer(event: HookEvent, run: HookRun): HookAnswer {
  const {failsClosed = false} = factsOf(event);
  const {exitCode, stdout, stderr} = run;
  const failed = (why: string): HookAnswer => (failsClosed ? {verdict: 'deny', reason: why, notices: []} : {notices: [why]});
  if (run.timedOut) return failed('it did not answer in time');
  if (exitCode === null) return failed(`it was ended by ${run.signal ?? 'a signal'}`);
  if (exitCode === 2) return {verdict: 'deny', reason: bounded(stderr.trim()) || 'a hook blocked it, and gave no reason', notices: []};
  if (exitCode !== 0) return {notices: [`exit code ${exitCode}${firstLine(stderr)}`]};
  const text = stdout.trim();
  if (!text.startsWith('{')) return plain(event, text);
  const said = run.truncated ? undefined : parseJson(text);
  return isJsonObject(said) ? readJson(event, said) : failed('what it wrote on stdout begins like JSON, and is none');
}

function plain(event: HookEvent, text: string): HookAnswer {
  const {plainContext = false} = factsOf(event);
  return {context: plainContext && text !== '' ? bounded(text) : undefined, notices: []};
}

/** https://code.claude.com/docs/en/hooks › JSON output; `snake_case` for those who write `pre_tool_use`. */
function readJson(event: HookEvent, said: JsonObject): HookAnswer {
  const inner = said['hookSpecificOutput'] ?? said['hook_specific_output'];
  const own = isJsonObject(inner) ? inner : {};
  const decision = own['decision'];
  const field = (theirs: string, ours: string): Json | undefined => own[theirs] ?? own[ours] ?? said[theirs] ?? said[ours];
  const request = isJsonObject(decision) ? decision : {};
  const words = [field('permissionDecision', 'permission_decision'), request['behavior'], said['decision']];
  const verdict = strictest(words.map(verdictOf));
  const reasons = [field('permissionDecisionReason', 'permission_decision_reason'), request['message'], said['reason']];
  const input = request['updatedInput'] ?? field('updatedInput', 'updated_input');
  const context = field('additionalContext', 'additional_context');
  const shown = said['systemMessage'] ?? said['system_message'];
  const reason = reasons.find((text) => typeof text === 'string' && text.trim() !== '');
  const {failsClosed = false} = factsOf(event);
  const unknown = words.find((word) => word !== undefined && word !== null && verdictOf(word) === undefined && word !== '');
  const misspelled = `"${String(unknown)}" is no decision`;
  return {
    verdict: unknown === undefined ? verdict : failsClosed ? 'deny' : verdict,
    reason: unknown === undefined ? (typeof reason === 'string' ? bounded(reason) : undefined) : misspelled,
    input: isJsonObject(input) ? input : undefined,
    context: typeof context === 'string' && context.trim() !== '' ? bounded(context) : undefined,
    stop: said['continue'] === false ? bounded(textOr(said['stopReason'] ?? said['stop_reason'], 'a hook ended it')) : undefined,
    notices: typeof shown === 'string' && shown.trim() !== '' ? [bounded(shown.trim())] : [],
  };
}

const VERDICTS: Readonly<Record<string, 'allow' | 'ask' | 'deny'>> = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  defer: 'ask',
  deny: 'deny',
  block: 'deny',
};

function verdictOf(word: Json | undefined): HookAnswer['verdict'] {
  return typeof word === 'string' && Object.hasOwn(VERDICTS, word) ? VERDICTS[word] : undefined;
}

function strictest(verdicts: readonly HookAnswer['verdict'][]): HookAnswer['verdict'] {
  return (['deny', 'ask', 'allow'] as const).find((verdict) => verdicts.includes(verdict));
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise;
}

/** Characters of one text that goes to a model or a person. */
const MAX_CHARS = 10_000;

function bounded(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}\n[… ${text.length - MAX_CHARS} more characters left out]`;
}

function firstLine(stderr: string): string {
  const [line = ''] = stderr.trim().split('\n', 1);
  return line === '' ? '' : `: ${line.slice(0, 300)}`;
}
