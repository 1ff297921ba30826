import {isFettleError} from '../../base/errors.ts';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import {checkValue, findingText, type Finding} from '../../config/check-value.ts';
import {keyPathText} from '../../config/origin.ts';
import {parseToml} from '../../config/parse-toml.ts';
import type {Timing} from '../times/timing.ts';
import type {JobDefinition, JobRights} from './job-definition.ts';
import {jobKeysAt, JOB_SCHEMA} from './job-schema.ts';
import {contradictions} from './job-contradictions.ts';
import {readMoment, readTiming} from './read-timing.ts';

/** A job, or everything that is wrong with its file, one line each with the place. */
export type ParsedJob = {readonly job: JobDefinition} | {readonly problems: readonly string[]};

/** The bytes of the file of a job. */
export interface JobFileText {
  readonly name: string;
  /** The path for messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Reads the file of a job (TOML). Unknown keys are refused: what a person meant to forbid must not be lost by a typo. */
export function parseJob({name, file, bytes}: JobFileText): ParsedJob {
  const parsed = parseToml(bytes);
  if (!parsed.ok) return {problems: [`${file}:${parsed.line}: ${parsed.message}`]};
  const value = withMomentsAsText(parsed.value);
  const wrong = checkValue(JOB_SCHEMA, value);
  const findings = wrong.length > 0 ? wrong : contradictions(value);
  if (findings.length > 0)
    return {problems: findings.map((finding) => `${file}:${parsed.lineOf(finding.path)}: ${describeFinding(finding)}`)};
  try {
    return {job: jobOf(name, value, readTiming(value))};
  } catch (thrown) {
    if (!isFettleError(thrown)) throw thrown;
    const key = ['every', 'cron', 'at'].find((known) => value[known] !== undefined) ?? 'created';
    return {problems: [`${file}:${parsed.lineOf([key])}: ${key}: ${thrown.message}`]};
  }
}

/** TOML has moments of its own: they stand for their text. */
function withMomentsAsText(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, child]): [string, Json | undefined] => {
      const moment: unknown = child;
      return [key, (key === 'at' || key === 'created') && moment instanceof Date ? moment.toISOString() : child];
    }),
  );
}

function describeFinding(finding: Finding): string {
  const {path, must, value} = finding;
  if (must === undefined) return `unknown key ${keyPathText(path)}; ${advice(path)}`;
  if (value === undefined && path[0] === 'created')
    return 'created is missing: the moment from which on due times count, such as 2026-12-01T09:00:00Z';
  return value === null && path.length === 0 ? must : findingText(finding);
}

function advice(path: Finding['path']): string {
  const known = jobKeysAt(path.slice(0, -1));
  const meant = nearestWord(String(path.at(-1)), known);
  return meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${keyPathText([...path.slice(0, -1), meant])}?`;
}

function jobOf(name: string, value: JsonObject, timing: Timing): JobDefinition {
  const {prompt, reminder, project} = value as {readonly [key: string]: string | undefined};
  return {
    name,
    action: prompt === undefined ? {kind: 'reminder', text: (reminder ?? '').trim()} : {kind: 'prompt', prompt: prompt.trim()},
    timing,
    workspace: textAt(value, 'workspace'),
    missed: choiceAt(value, 'missed', ['once', 'skip', 'all']),
    overlap: choiceAt(value, 'overlap', ['skip', 'queue', 'cancel-old']),
    notify: choiceAt(value, 'notify', ['always', 'failure', 'never']),
    createdAt: readMoment(textAt(value, 'created')),
    project,
    rights: rightsOf(isJsonObject(value['rights']) ? value['rights'] : {}),
  };
}

/** Without a sandbox the mode decides, as in `fettle exec`. */
function rightsOf(table: JsonObject): JobRights {
  const mode = choiceAt(table, 'mode', ['ask', 'plan', 'accept-edits', 'full-auto']);
  const sandbox = mode === 'full-auto' ? 'workspace-write' : 'off';
  return {
    model: optionalText(table, 'model'),
    toolset: optionalText(table, 'toolset'),
    mode,
    sandbox: choiceAt({sandbox, ...table}, 'sandbox', ['off', 'read-only', 'workspace-write']),
    allow: textsAt(table, 'allow'),
    ask: textsAt(table, 'ask'),
    deny: textsAt(table, 'deny'),
    domains: textsAt(table, 'domains'),
    verify: textsAt(table, 'verify'),
    maxTurns: numberAt(table, 'max_turns'),
    maxTokens: numberAt(table, 'max_tokens'),
    maxCostUsd: numberAt(table, 'max_cost_usd'),
    maxTimeS: numberAt(table, 'max_time_s'),
  };
}

function textAt(table: JsonObject, key: string): string {
  return optionalText(table, key) ?? '';
}

function optionalText(table: JsonObject, key: string): string | undefined {
  const value = table[key];
  return typeof value === 'string' ? value : undefined;
}

function textsAt(table: JsonObject, key: string): readonly string[] {
  const value = table[key];
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}

function numberAt(table: JsonObject, key: string): number | undefined {
  const value = table[key];
  return typeof value === 'number' ? value : undefined;
}

/** The first choice is the default. */
function choiceAt<const Choice extends string>(table: JsonObject, key: string, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices.find((choice) => choice === table[key]) ?? choices[0];
}
