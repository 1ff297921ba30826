import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {HOOK_EVENTS, hookEventNamed, type HookEvent} from './hook-events.ts';
import {readMatcher, type Matcher} from './matcher.ts';
import type {HttpTarget} from './post-hook.ts';

/** A command that runs at an event, or a server that an event is posted to. */
export interface Hook {
  readonly event: HookEvent;
  /** The command line, or the address of a server. */
  readonly command: string;
  /** Set if the hook is a server. */
  readonly http?: HttpTarget | undefined;
  readonly matcher: Matcher;
  /** undefined: the default of the event. */
  readonly timeoutMs: number | undefined;
  /** True if it is written in the format of Claude Code: if its matcher does not decide, it also gets the names of that format. */
  readonly foreign: boolean;
  /** Its origin: a hook of a project is checked again before it runs. */
  readonly from: 'user' | 'project';
}

export interface ReadHooks {
  readonly hooks: readonly Hook[];
  /** Mistakes in hooks that Fettle would run. A person relies on them, so the session must not start. */
  readonly problems: readonly string[];
  /** Hooks that other agents run and Fettle does not, one line each. */
  readonly notices: readonly string[];
  /** Tools that matchers mention, so that their names can be checked. */
  readonly mentions: readonly MatcherMention[];
}

/** A name, or an expression after `re:`, that a matcher compares with tools. */
export interface MatcherMention {
  readonly text: string;
  /** `deny` if the hook can refuse a call. */
  readonly effect: 'deny' | 'allow';
  /** Its position in the table. */
  readonly at: string;
}

/**
 * The hooks of a table event → list, in the form of Fettle (`{matcher, command, timeout_s}`) or of others
 * (`{matcher, hooks: [{type: "command", command, timeout}]}`). Other keys of a settings file are ignored.
 */
export function readHooks(value: Json | undefined, from: Hook['from']): ReadHooks {
  const found: Found = {hooks: [], problems: [], notices: [], mentions: []};
  if (!isJsonObject(value)) return {...found, problems: ['the hooks must be a table: event → list']};
  const table = isJsonObject(value['hooks']) ? value['hooks'] : value;
  for (const [name, list] of Object.entries(table)) {
    const event = hookEventNamed(name);
    if (event === undefined) {
      if (Array.isArray(list)) found.notices.push(`${name}: not run: there is no such event here`);
      continue;
    }
    if (!Array.isArray(list)) found.problems.push(`${name}: must be a list`);
    else list.forEach((entry: Json, index) => addGroup(found, entry, {event, from, foreign: isForeign(name), at: `${name}[${index}]`}));
  }
  return found;
}

interface Place {
  readonly event: HookEvent;
  readonly from: Hook['from'];
  readonly foreign: boolean;
  readonly at: string;
}

interface Found {
  readonly hooks: Hook[];
  readonly problems: string[];
  readonly notices: string[];
  readonly mentions: MatcherMention[];
}

function isForeign(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function addGroup(found: Found, entry: Json, place: Place): void {
  const {at, event} = place;
  if (!isJsonObject(entry)) return void found.problems.push(`${at}: must be a table with a command`);
  const pattern = entry['matcher'];
  const matcher = 'matches' in HOOK_EVENTS[event] ? readMatcher(typeof pattern === 'string' ? pattern : '') : readMatcher('');
  if (matcher === undefined || (pattern !== undefined && pattern !== null && typeof pattern !== 'string')) {
    return void found.problems.push(`${at}.matcher: is neither a name nor a regular expression`);
  }
  found.mentions.push(...mentionsOf(typeof pattern === 'string' ? pattern : '', place));
  const commands = entry['hooks'];
  if (commands === undefined) return addCommand(found, entry, {...place, matcher});
  if (!Array.isArray(commands)) return void found.problems.push(`${at}.hooks: must be a list`);
  commands.forEach((command: Json, index) => addCommand(found, command, {...place, matcher, at: `${at}.hooks[${index}]`}));
}

/** `A|B` is two names; a regular expression is checked as a whole, if a rule could express it. */
function mentionsOf(matcher: string, {event, at}: Place): MatcherMention[] {
  if (!TOOL_EVENTS.includes(event) || matcher === '' || matcher === '*') return [];
  const effect = 'failsClosed' in HOOK_EVENTS[event] ? 'deny' : 'allow';
  const place = `${at}.matcher`;
  if (/^[\w|-]+$/.test(matcher)) return matcher.split('|').flatMap((text) => (text === '' ? [] : {text, effect, at: place}));
  const expression = matcher.replaceAll('(?:', '(');
  return expression.includes(':') ? [] : [{text: `re:${expression}`, effect, at: place}];
}

const TOOL_EVENTS: readonly HookEvent[] = ['pre_tool_use', 'post_tool_use', 'post_tool_use_failure', 'permission_request'];

function addCommand(found: Found, entry: Json, {event, from, foreign, at, matcher}: Place & {matcher: Matcher}): void {
  if (!isJsonObject(entry)) return void found.problems.push(`${at}: must be a table with a command`);
  const {type = 'command'} = entry;
  if (type !== 'command' && type !== 'http') {
    return void found.notices.push(
      `${at}: not run: hooks of type ${JSON.stringify(type)} are not understood here; nothing is guarded by it`,
    );
  }
  const http = type === 'http' ? targetOf(entry) : undefined;
  if (typeof http === 'string') return void found.problems.push(`${at}${http}`);
  const command = http?.url ?? textOf(entry['command']);
  if (command === undefined) return void found.problems.push(`${at}.command: must be text`);
  const timeoutMs = timeoutOf(entry);
  if (timeoutMs === 'wrong') {
    return void found.problems.push(`${at}.timeout: must be a number of seconds, above 0 and at most ${MOST_SECONDS}`);
  }
  found.notices.push(...notUnderstood(entry).map((key) => `${at}.${key}`));
  found.hooks.push({event, command, ...(http === undefined ? {} : {http}), matcher, timeoutMs, foreign, from});
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Reads the target of an HTTP hook from a file; returns a text if it is invalid. */
function targetOf({url, headers = {}, allowedEnvVars: variables = []}: JsonObject): HttpTarget | string {
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '') {
    return '.url: must be an address of http or https, without a password in it';
  }
  if (!isTexts(headers)) return '.headers: must be a table of texts';
  const names: readonly Json[] = Array.isArray(variables) ? variables : [null];
  const texts = names.filter((name) => typeof name === 'string');
  if (texts.length < names.length) return '.allowedEnvVars: must be a list of names';
  return {url: address.href, headers, variables: texts};
}

function isTexts(value: Json): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string' && !/[\r\n\0]/.test(text));
}

function timeoutOf({timeout_s: own, timeout = own}: JsonObject): number | undefined | 'wrong' {
  if (timeout === undefined) return undefined;
  return typeof timeout === 'number' && timeout > 0 && timeout <= MOST_SECONDS ? timeout * 1000 : 'wrong';
}

/** Lists features of other agents that are not supported, and the effect on the hook. */
function notUnderstood(entry: JsonObject): string[] {
  return [
    ...(entry['if'] === undefined ? [] : ['if: not understood: the hook runs for everything that its matcher fits']),
    ...(entry['async'] === true ? ['async: not understood: the hook is waited for'] : []),
  ];
}

/** The longest time that a timer supports. */
const MOST_SECONDS = 86_400;
