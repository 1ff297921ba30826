import type {JsonObject} from '../base/json.ts';
import type {Origin, Source} from './origin.ts';

/** Flags as the command line has them; values as they were typed. */
export type Flags = Readonly<Partial<Record<SettingFlag, string>>> & Readonly<Partial<Record<ListFlag, readonly string[]>>>;
type SettingFlag = '--model' | '--toolset' | '--mode' | '--sandbox' | '--max-turns' | '--max-tokens' | '--max-cost' | '--max-time';
type ListFlag = '--allow' | '--ask' | '--deny' | '--allow-domain';

/** The settings that `FETTLE_*` variables name. An empty variable counts as unset. */
export function variableSources(env: Readonly<Record<string, string | undefined>>): Source[] {
  return SETTING_OVERRIDES.flatMap((override) => {
    const typed = env[override.variable];
    return typed === undefined || typed === ''
      ? []
      : [source(override.path, override.read(typed), {source: 'env', name: override.variable})];
  });
}

/** The settings and rules that flags name. */
export function flagSources(flags: Flags): Source[] {
  const settings = SETTING_OVERRIDES.flatMap(({flag, path, read}) => {
    const typed = flags[flag];
    return typed === undefined ? [] : [source(path, read(typed), {source: 'flag', name: flag})];
  });
  const lists = LIST_FLAGS.flatMap(({flag, path}) => {
    const typed = flags[flag];
    return typed === undefined ? [] : [source(path, typed, {source: 'flag', name: flag})];
  });
  return [...settings, ...lists];
}

/** The variables that look like a misspelled one of ours, one line each. Others that begin with `FETTLE_` may have another owner. */
export async function unknownVariables(env: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const known = [...SETTING_OVERRIDES.map((override) => override.variable), 'FETTLE_HOME', 'FETTLE_MCP_TOKEN'];
  const others = Object.keys(env).filter((name) => name.startsWith('FETTLE_') && !known.includes(name));
  if (others.length === 0) return [];
  const {nearestWord} = await import('../base/nearest-word.ts');
  return others.flatMap((name) => {
    const meant = nearestWord(name, known);
    return meant === undefined ? [] : [`${name}: unknown variable; did you mean ${meant}?`];
  });
}

function source(path: readonly string[], value: string | number | readonly string[], origin: Origin): Source {
  return {value: nest(path, value), originOf: () => origin};
}

/** `{a: {b: value}}` for the path `a.b`. */
function nest(path: readonly string[], value: string | number | readonly string[]): JsonObject {
  const [first = '', ...rest] = path;
  return {[first]: rest.length === 0 ? value : nest(rest, value)};
}

/** One setting that a variable and a flag can set. */
interface Override {
  readonly path: readonly string[];
  readonly variable: string;
  readonly flag: SettingFlag;
  readonly read: (typed: string) => string | number;
}

const asText = (typed: string): string => typed;

/** Returns the number that a text means; otherwise the text, which the schema then refuses. */
const asNumber = (typed: string): string | number => (/^\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed);

/** The whole table; `docs/guide.md` repeats it. `FETTLE_HOME` is not a setting (see paths.ts). */
export const SETTING_OVERRIDES: readonly Override[] = [
  {path: ['model'], variable: 'FETTLE_MODEL', flag: '--model', read: asText},
  {path: ['toolset'], variable: 'FETTLE_TOOLSET', flag: '--toolset', read: asText},
  {path: ['mode'], variable: 'FETTLE_MODE', flag: '--mode', read: asText},
  {path: ['sandbox', 'profile'], variable: 'FETTLE_SANDBOX', flag: '--sandbox', read: asText},
  {path: ['limits', 'max_turns'], variable: 'FETTLE_MAX_TURNS', flag: '--max-turns', read: asNumber},
  {path: ['limits', 'max_tokens'], variable: 'FETTLE_MAX_TOKENS', flag: '--max-tokens', read: asNumber},
  {path: ['limits', 'max_cost_usd'], variable: 'FETTLE_MAX_COST_USD', flag: '--max-cost', read: asNumber},
  {path: ['limits', 'max_time_s'], variable: 'FETTLE_MAX_TIME_S', flag: '--max-time', read: asNumber},
];

/** Flags that may be repeated. */
const LIST_FLAGS: readonly {readonly flag: ListFlag; readonly path: readonly string[]}[] = [
  {flag: '--allow', path: ['permissions', 'allow']},
  {flag: '--ask', path: ['permissions', 'ask']},
  {flag: '--deny', path: ['permissions', 'deny']},
  {flag: '--allow-domain', path: ['sandbox', 'allowed_domains']},
];
