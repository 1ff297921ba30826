import {visibleText} from '../../base/visible-text.ts';
import type {Mode, Rule} from '../../policy/decision.ts';
import {parseRule} from '../../policy/rules/parse-rule.ts';
import {toolFits, toolOrFamilyFits} from './tool-names.ts';
import {readFrontMatter, type Field, type FrontMatter} from './profile-front-matter.ts';
import {TASK_FAMILY, type SubagentProfile} from './profile.ts';

export interface ProfileFile {
  /** undefined: the file cannot be used. */
  readonly profile: SubagentProfile | undefined;
  /** Mistakes in the file, for a person: `<file>:<line>: …`. */
  readonly problems: readonly string[];
  /** Tools that the file mentions, so that their names can be checked. */
  readonly mentions?: readonly ProfileMention[] | undefined;
}

/** A rule, or the name of a tool that the profile allows or forbids. */
export interface ProfileMention extends Rule {
  readonly what?: string | undefined;
}

/**
 * Reads a profile: front matter in YAML between lines of `---`, then the prompt (VT Code › agents; Claude Code › subagents). Keys of other
 * agents are understood if they mean the same; a key that can only widen permissions, or is unknown, is reported and ignored. If a key that
 * narrows permissions cannot be read, the profile is not used at all.
 */
export function readProfile(text: string, file: string): ProfileFile {
  const matter = readFrontMatter(text);
  if ('problem' in matter) return {profile: undefined, problems: [`${file}:${matter.line}: not used: ${matter.problem}`]};
  const read = createReader(matter, file);
  const named = {allowed: read.names('tools'), forbidden: read.names('disallowed_tools') ?? []};
  const facts = {...namesOf(read), ...narrowingOf(read, named, file)};
  if (matter.body === '') read.refuse('', 'it has no prompt after its front matter');
  read.leftOver();
  const profile: SubagentProfile = {...facts, isSubagent: true, prompt: matter.body};
  if (!read.usable) return {profile: undefined, problems: read.problems};
  return {profile, problems: read.problems, mentions: mentionsOf(read, named, facts.rules)};
}

interface NamedTools {
  readonly allowed: readonly string[] | undefined;
  readonly forbidden: readonly string[];
}

function mentionsOf(read: Reader, {allowed = [], forbidden}: NamedTools, rules: readonly Rule[] = []): ProfileMention[] {
  const named = (key: string, names: readonly string[], effect: Rule['effect']): ProfileMention[] =>
    names.map((text) => ({text, effect, source: read.place(key), what: `${JSON.stringify(text)} in ${key} fits nothing`}));
  return [...rules, ...named('disallowed_tools', forbidden, 'deny'), ...named('tools', allowed, 'allow')];
}

function namesOf(read: Reader): Pick<SubagentProfile, 'name' | 'description'> {
  const name = read.text('name') ?? '';
  const description = read.text('description') ?? '';
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > MAX_NAME) {
    read.refuse('name', 'it needs a name of lower-case letters, digits and single hyphens');
  }
  if (description === '') read.refuse('description', 'it needs a description');
  return {name, description: description.replaceAll(/\s+/g, ' ').slice(0, MAX_DESCRIPTION).toWellFormed()};
}

function narrowingOf(
  read: Reader,
  {allowed, forbidden}: NamedTools,
  file: string,
): Omit<SubagentProfile, 'name' | 'description' | 'isSubagent' | 'prompt'> {
  return {
    allows: (tool) =>
      tool.permission !== TASK_FAMILY &&
      (allowed === undefined || allowed.some((one) => toolFits(tool, one))) &&
      !forbidden.some((one) => toolOrFamilyFits(tool, one)),
    model: modelOf(read.text('model')),
    mode: modeOf(read),
    rules: rulesOf(read, file),
    maxTurns: read.amount('max_turns', {whole: true}) ?? MAX_TURNS,
    maxToolCalls: read.amount('max_tool_calls', {whole: true}) ?? MAX_TOOL_CALLS,
    maxTokens: read.amount('max_tokens', {whole: true}),
    maxCostUsd: read.amount('max_cost', {whole: false}),
    isolation: isolationOf(read),
  };
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_TURNS = 80;
const MAX_TOOL_CALLS = 300;

interface Reader {
  /** `FILE:LINE` of a key. */
  place(key: string): string;
  text(key: string): string | undefined;
  /** Parses a list, or names separated by commas. */
  names(key: string): readonly string[] | undefined;
  amount(key: string, form: {readonly whole: boolean}): number | undefined;
  raw(key: string): Field | undefined;
  /** Reports a serious mistake: the profile is not used. */
  refuse(key: string, why: string): void;
  tell(key: string, what: string): void;
  /** Reports the unknown keys. */
  leftOver(): void;
  readonly problems: readonly string[];
  readonly usable: boolean;
}

function createReader({fields}: FrontMatter, file: string): Reader {
  const asked = new Set<string>();
  const problems: string[] = [];
  let usable = true;
  const raw = (key: string): Field | undefined => {
    asked.add(key);
    return fields.get(key);
  };
  const line = (key: string): number => fields.get(key)?.line ?? 1;
  const tell = (key: string, what: string): void => void problems.push(`${file}:${line(key)}: ${visibleText(what)}`);
  const refuse = (key: string, why: string): void => {
    usable = false;
    tell(key, `not used: ${why}`);
  };
  return {
    place: (key) => `${file}:${line(key)}`,
    raw,
    tell,
    refuse,
    text(key) {
      const field = raw(key);
      if (field === undefined || field.value === null) return undefined;
      if (typeof field.value === 'string' && field.value.trim() !== '') return field.value.trim();
      refuse(key, `${key} must be a text`);
      return undefined;
    },
    names(key) {
      const field = raw(key);
      if (field === undefined || field.value === null) return undefined;
      const names = typeof field.value === 'string' ? field.value.split(/,(?![^(]*\))/) : field.value;
      if (Array.isArray(names) && names.every((name): name is string => typeof name === 'string')) {
        return names.flatMap((name) => nameOf(name.trim(), (what) => tell(key, what)));
      }
      refuse(key, `${key} must be a list of names`);
      return undefined;
    },
    amount(key, {whole}) {
      const field = raw(key);
      if (field === undefined || field.value === null) return undefined;
      const amount = field.value;
      if (typeof amount === 'number' && amount > 0 && Number.isFinite(amount) && (!whole || Number.isInteger(amount))) return amount;
      refuse(key, `${key} must be a ${whole ? 'whole ' : ''}number above 0`);
      return undefined;
    },
    leftOver() {
      for (const key of fields.keys()) {
        if (!asked.has(key) && !IDLE_KEYS.has(key)) tell(key, `${key} is not known here and left out`);
      }
    },
    problems,
    get usable() {
      return usable;
    },
  };
}

/** Keys without effect on a subagent. */
const IDLE_KEYS: ReadonlySet<string> = new Set(['color', 'nickname_candidates', 'license', 'version', 'author', 'metadata']);

/** `Bash(git *)` of other agents: the tool; its brackets are dropped, since they would have to be a rule. */
function nameOf(name: string, tell: (what: string) => void): string[] {
  const [, tool, pattern] = /^([^()]+)\((.*)\)$/s.exec(name) ?? [];
  if (tool === undefined || pattern === undefined) return name === '' ? [] : [name];
  tell(`${name}: the part in brackets narrows nothing here; write rules under permissions.deny`);
  return [tool.trim()];
}

/** Names of other makers (`sonnet`, `inherit`) mean the model of the thread. */
function modelOf(model: string | undefined): string | undefined {
  return model?.includes('/') === true || model?.includes(':') === true ? model : undefined;
}

const MODES: Readonly<Record<string, Mode | 'as-is'>> = {
  plan: 'plan',
  ask: 'ask',
  'accept-edits': 'accept-edits',
  'full-auto': 'full-auto',
  default: 'as-is',
  inherit: 'as-is',
  acceptedits: 'accept-edits',
  bypasspermissions: 'full-auto',
  dontask: 'ask',
};

function modeOf(read: Reader): Mode | undefined {
  const value = read.text('mode');
  if (value === undefined) return undefined;
  const mode = MODES[value] ?? MODES[value.toLowerCase()];
  if (mode === undefined) read.refuse('mode', `mode must be plan, ask, accept-edits or full-auto, not ${value}`);
  return mode === 'as-is' ? undefined : mode;
}

function rulesOf(read: Reader, file: string): readonly Rule[] {
  const value = read.raw('permissions');
  if (value === undefined || value.value === null) return [];
  if (typeof value.value !== 'object' || Array.isArray(value.value)) {
    read.refuse('permissions', 'permissions must have `deny` and `ask`, lists of rules');
    return [];
  }
  const rules: Rule[] = [];
  for (const [effect, texts] of Object.entries(value.value)) {
    if (effect === 'allow') read.tell('permissions', 'permissions.allow is left out: a profile can only narrow what its thread may do');
    else if ((effect !== 'deny' && effect !== 'ask') || !Array.isArray(texts)) {
      read.refuse('permissions', `permissions.${effect} must be a list under \`deny\` or \`ask\``);
    } else rules.push(...texts.flatMap((text) => ruleOf(read, {text: String(text), effect, source: `${file}:${value.line}`})));
  }
  return rules;
}

function ruleOf(read: Reader, rule: Rule): readonly Rule[] {
  try {
    parseRule(rule);
    return [rule];
  } catch (error) {
    read.refuse('permissions', error instanceof Error ? error.message : 'a rule cannot be read');
    return [];
  }
}

function isolationOf(read: Reader): 'worktree' | undefined {
  const isolation = read.text('isolation');
  if (isolation === undefined || isolation === 'none') return undefined;
  if (isolation !== 'worktree') read.refuse('isolation', `isolation must be worktree, not ${isolation}`);
  return 'worktree';
}
