import {FettleError} from '../../base/errors.ts';
import {plain} from '../../base/plain-name.ts';
import type {Rule} from '../decision.ts';
import {fitsPattern} from '../pattern.ts';
import {agentName, familiesNamed, fitsPlainly, operationFamilies, operationFamily} from './tool-families.ts';

/** A rule, read once. */
export interface ParsedRule {
  readonly rule: Rule;
  /** True if the rule speaks of a tool or a permission family of this name. */
  readonly namesTool: (tool: string) => boolean;
  /** For an allow rule with another agent's name: the group that the published name of a tool must belong to. */
  readonly group?: string | undefined;
  /** Text after the colon, with single blanks; `*` without a colon. */
  readonly pattern: string;
  /** The pattern at its blanks. */
  readonly words: readonly string[];
}

/**
 * Reads `tool:pattern` (microcode tools › permission rules; vibe tool system › wildcard rule). `tool` alone means `tool:*`. The tool part is a
 * name, a glob (`mcp__*`), or a regular expression after `re:` (`re:^(write|edit)$:src/*`). Throws CONFIG for anything else. Names of other
 * agents (`Bash`, `run_shell_command`) mean the family of ours that does the same, and so do operations (`fs.read`, `fs.*`) and names with their
 * toolset (`blade__apply_patch`).
 */
export function parseRule(rule: Rule): ParsedRule {
  const {tool, pattern} = split(rule);
  const words = pattern.trim().split(/\s+/);
  if (words[0] === '') throw broken(rule, 'it has no pattern', 'Write what it applies to after the colon, or `*` for everything.');
  const group = rule.effect === 'allow' && !/[*:]/.test(tool) ? allowedGroup(tool) : undefined;
  return {rule, namesTool: toolTest(tool, rule), group, pattern: words.join(' '), words};
}

/** True if a rule speaks of a call, by the published name of its tool (the first) or by its permission family. */
export function namesCall({namesTool, group}: ParsedRule, [name, ...families]: readonly string[]): boolean {
  if (name === undefined) return false;
  return namesTool(name) || families.some((family) => namesTool(family)) || (group !== undefined && agentName(name)?.group === group);
}

/** Returns the tool part of a rule: a name, a glob, or an expression after `re:`. Throws CONFIG if it is invalid. */
export function ruleTool(rule: Rule): string {
  return split(rule).tool;
}

/** Narrow: only equivalents under another name, not other members of the family. */
function allowedGroup(tool: string): string | undefined {
  const meant = agentName(tool);
  return meant === undefined || meant.isPart ? undefined : meant.group;
}

function split(rule: Rule): {tool: string; pattern: string} {
  const text = rule.text.trim();
  const start = text.startsWith('re:') ? text.indexOf(':', 3) : text.indexOf(':');
  const tool = start === -1 ? text : text.slice(0, start);
  if (tool === '' || tool === 're:') throw broken(rule, 'it names no tool', 'A rule is `tool:pattern`, for example `bash:cargo *`.');
  return {tool: ownName(tool), pattern: start === -1 ? '*' : text.slice(start + 1)};
}

/** `fs.read` → its family `read`, `blade__apply_patch` → `apply_patch`; any other name stays. */
function ownName(tool: string): string {
  return operationFamily(tool) ?? tool.replace(OF_TOOLSET, '');
}

const OF_TOOLSET = /^(?:fettle|blade|microcode|vibe|vtcode)__(?=.)/i;

function toolTest(tool: string, rule: Rule): (name: string) => boolean {
  if (!tool.startsWith('re:')) {
    if (!/^[\w*./-]+$/.test(tool)) throw broken(rule, `"${tool}" is not the name of a tool`, otherForm(rule.text));
    return tool.includes('*') ? patternTest((name) => fitsGlob(tool, name), rule) : nameTest(tool, rule);
  }
  // Names of tools are short, and rules come from a person's own files: no pattern of a stranger runs here.
  try {
    const expression = new RegExp(`^(?:${tool.slice(3)})$`, 'u');
    return patternTest((name) => expression.test(name.slice(0, 200)), rule);
  } catch {
    throw broken(rule, 'its regular expression cannot be read', 'Check the part between `re:` and the next colon.');
  }
}

/** `Bash(git *)` is how other agents write it. */
function otherForm(text: string): string {
  const [, tool, pattern] = /^([\w-]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  return `A rule is \`tool:pattern\`, for example \`${tool === undefined ? 'bash:cargo *' : `${tool}:${pattern}`}\`.`;
}

function fitsGlob(glob: string, name: string): boolean {
  return fitsPattern(glob, name) || fitsPlainly(glob, name) || operationFamilies(glob).has(name);
}

/** A name of another agent means a whole family of ours to deny and ask rules; allow rules have the group of {@link namesCall}. */
function nameTest(tool: string, {effect}: Rule): (name: string) => boolean {
  if (tool.startsWith('mcp__')) return (name) => name === tool;
  const meant = agentName(tool);
  const own = plain(tool);
  const family = meant?.family;
  const isFamily = family !== undefined && (effect !== 'allow' || plain(family) === own);
  const also = effect === 'allow' ? [] : (meant?.also ?? []);
  const group = family === undefined && effect !== 'allow' ? meant?.group : undefined;
  return (name) =>
    name === tool ||
    (isFamily && name === family) ||
    also.includes(name) ||
    (!name.startsWith('mcp__') && plain(name) === own) ||
    (group !== undefined && agentName(name)?.group === group);
}

/** The families that the pattern means by names of other agents are resolved at the first tool that it does not match. */
function patternTest(fits: (name: string) => boolean, {effect}: Rule): (name: string) => boolean {
  if (effect === 'allow') return fits;
  let families: ReadonlySet<string> | undefined;
  return (name) => fits(name) || (families ??= familiesNamed(fits)).has(name);
}

function broken(rule: Rule, what: string, hint: string): FettleError {
  return new FettleError({code: 'CONFIG', message: `The permission rule "${rule.text}" (${rule.source}) is wrong: ${what}.`, hint});
}
