import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import type {CommandResult} from '../../exec/process/command.ts';
import {factsOf, type HookEvent} from './hook-events.ts';

/** A hook's answer, in one form. */
export interface HookAnswer {
  /** `deny`: the event is blocked, with the effect that it defines. */
  readonly verdict?: 'allow' | 'ask' | 'deny' | undefined;
  readonly reason?: string | undefined;
  /** Replaces the input of the call. */
  readonly input?: JsonObject | undefined;
  /** For the model. */
  readonly context?: string | undefined;
  /** Set if the whole turn is to end, not only this call. */
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
 * Exit code 2 blocks, also with nothing on stderr; 0 with JSON on stdout says more; every other code is shown without any effect. For an event
 * that fails closed, a late or unreadable answer is a denial.
 */
export function readAnswer(event: HookEvent, run: HookRun): HookAnswer {
  const {verdict, reason, ...said} = answerOf(event, run);
  const isShown = verdict === 'deny' && factsOf(event).block === undefined;
  return isShown ? {...said, notices: [...said.notices, reason ?? 'it blocks']} : {verdict, reason, ...said};
}

function answerOf(event: HookEvent, run: HookRun): HookAnswer {
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

/** https://code.claude.com/docs/en/hooks › JSON output; `snake_case` for authors who write `pre_tool_use`. */
function readJson(event: HookEvent, said: JsonObject): HookAnswer {
  const own = tableIn(said, 'hookSpecificOutput', 'hook_specific_output');
  const request = tableIn(own, 'decision');
  const field = (theirs: string, ours: string): Json | undefined => own[theirs] ?? own[ours] ?? said[theirs] ?? said[ours];
  const words = [field('permissionDecision', 'permission_decision'), request['behavior'], said['decision']];
  const reasons = [field('permissionDecisionReason', 'permission_decision_reason'), request['message'], said['reason']];
  const input = request['updatedInput'] ?? field('updatedInput', 'updated_input');
  return {
    ...decisionOf(event, words, reasons),
    input: isJsonObject(input) ? input : undefined,
    context: textOf(field('additionalContext', 'additional_context')),
    stop: said['continue'] === false ? (textOf(said['stopReason'] ?? said['stop_reason']) ?? 'a hook ended it') : undefined,
    notices: [textOf(said['systemMessage'] ?? said['system_message']) ?? []].flat(),
  };
}

function tableIn(table: JsonObject, ...names: readonly string[]): JsonObject {
  return names.map((name) => table[name]).find(isJsonObject) ?? {};
}

/** An unknown word may have been meant as a denial. */
function decisionOf(
  event: HookEvent,
  words: readonly (Json | undefined)[],
  reasons: readonly (Json | undefined)[],
): Pick<HookAnswer, 'verdict' | 'reason'> {
  const verdict = strictest(words.map(verdictOf));
  const unknown = words.find((word) => word !== undefined && word !== null && word !== '' && verdictOf(word) === undefined);
  if (unknown === undefined) return {verdict, reason: reasons.map(textOf).find((text) => text !== undefined)};
  return {verdict: factsOf(event).failsClosed === true ? 'deny' : verdict, reason: `${JSON.stringify(unknown)} is not a decision`};
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

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? bounded(value.trim()) : undefined;
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
