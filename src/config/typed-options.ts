import type {JsonObject} from '../base/json.ts';
import type {Origin, Source} from './origin.ts';
import type {Settings} from './settings.ts';

/** Settings as a program hands them in; they count as much as flags. */
export interface TypedOptions {
  /** `provider/model`. */
  readonly model?: string | undefined;
  readonly toolset?: string | undefined;
  readonly mode?: Settings['mode'] | undefined;
  /** The profile of the sandbox around commands. */
  readonly sandbox?: 'off' | 'read-only' | 'workspace-write' | undefined;
  /** Added to those of the settings. */
  readonly rules?: TypedRules | undefined;
  readonly limits?: TypedLimits | undefined;
}

interface TypedRules {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Limits of one run. */
interface TypedLimits {
  /** Requests to the model. */
  readonly turns?: number | undefined;
  /** Input and output together; cached input counts a tenth. */
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly costUsd?: number | undefined;
  readonly timeMs?: number | undefined;
}

/** Returns a source for each option that is there: `limits.turns` is the setting `limits.max_turns`. */
export function typedSources({model, toolset, mode, sandbox, rules = {}, limits = {}}: TypedOptions): Source[] {
  const {turns, tokens, costUsd, timeMs} = limits;
  const seconds = timeMs === undefined ? undefined : timeMs / 1000;
  return [
    ...source('model', model, (value) => ({model: value})),
    ...source('toolset', toolset, (value) => ({toolset: value})),
    ...source('mode', mode, (value) => ({mode: value})),
    ...source('sandbox', sandbox, (value) => ({sandbox: {profile: value}})),
    ...source('rules.allow', rules.allow, (value) => ({permissions: {allow: value}})),
    ...source('rules.ask', rules.ask, (value) => ({permissions: {ask: value}})),
    ...source('rules.deny', rules.deny, (value) => ({permissions: {deny: value}})),
    ...source('limits.turns', turns, (value) => ({limits: {max_turns: value}})),
    ...source('limits.tokens', tokens, (value) => ({limits: {max_tokens: value}})),
    ...source('limits.costUsd', costUsd, (value) => ({limits: {max_cost_usd: value}})),
    ...source('limits.timeMs', seconds, (value) => ({limits: {max_time_s: value}})),
  ];
}

function source<Value>(name: string, value: Value | undefined, nest: (value: Value) => JsonObject): Source[] {
  const origin: Origin = {source: 'flag', name: `option ${name}`};
  return value === undefined ? [] : [{value: nest(value), originOf: () => origin}];
}
