import * as z from 'zod/mini';
import {isJsonObject} from '../../base/json.ts';
import {MAX_TIMER_MS} from '../../base/timer.ts';
import type {SideEffect} from '../../protocol/side-effect.ts';
import {cachingProblem} from '../toolset.ts';
import type {AnySchema, CustomTool} from './define-custom-tool.ts';

/** Lists the problems of a definition, one line each: its author may have written JavaScript, or ignored the types. */
export function definitionProblems(tool: Partial<CustomTool>): string[] {
  const {description, sideEffect, run, timeoutMs} = tool;
  return [
    ...(typeof description === 'string' && description.trim() !== '' ? [] : ['description must be a text']),
    ...(SIDE_EFFECTS.includes(sideEffect as SideEffect) ? [] : [`sideEffect must be one of ${SIDE_EFFECTS.join(', ')}`]),
    ...(typeof run === 'function' ? [] : ['run must be a function']),
    ...(isTimeout(timeoutMs) ? [] : [`timeoutMs must be a number above 0 and at most ${MAX_TIMER_MS}`]),
    ...argsProblems(tool.args),
    ...(isSchema(tool.result) ? [] : ['result must be a zod schema']),
    ...defaultsProblems('config', tool.config),
    ...defaultsProblems('state', tool.state),
    ...cacheProblems(tool),
  ];
}

function cacheProblems({cacheKey, sideEffect, state}: Partial<CustomTool>): string[] {
  const problem = sideEffect === undefined ? undefined : cachingProblem({cacheKey, sideEffect});
  const isWithState = cacheKey !== undefined && state !== undefined;
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(isWithState ? ['cacheKey and state exclude each other: a run may change the state'] : []),
  ];
}

function isTimeout(timeoutMs: unknown): boolean {
  return timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS);
}

const SIDE_EFFECTS: readonly SideEffect[] = ['pure', 'read', 'write', 'execute', 'network', 'interact'];

function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function argsProblems(args: unknown): string[] {
  if (!isSchema(args)) return ['args must be a zod object, for example z.object({path: z.string()})'];
  if (args._zod.def.type !== 'object') return [`args must be a zod object, not ${args._zod.def.type}`];
  try {
    z.toJSONSchema(args, {io: 'input'});
    return [];
  } catch (thrown) {
    return [`args cannot be described to a model: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
  }
}

/** Checks that the defaults alone are enough: a tool may have no configuration. */
function defaultsProblems(slot: 'config' | 'state', schema: unknown): string[] {
  if (schema === undefined) return [];
  if (!isSchema(schema)) return [`${slot} must be a zod schema`];
  try {
    const parsed = z.safeParse(schema, {});
    if (!parsed.success) return [`${slot} needs a default for each field: ${issueText(parsed.error)}`];
    return isJsonObject(parsed.data) ? [] : [`${slot} must be a zod object`];
  } catch (thrown) {
    return [`${slot}: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
  }
}

/** Describes the first mismatch with its place: `limit: Invalid input: expected number, received string`. */
export function issueText(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it does not fit';
  const place = issue.path.map(String).join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}
