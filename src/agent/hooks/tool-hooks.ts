import type {JsonObject} from '../../base/json.ts';
import type {Subject} from '../../policy/decision.ts';
import type {DispatcherOptions, HookedCall, HookRequest, PermissionHook, PostToolHook, PreToolHook} from '../../tools/dispatch/dispatch.ts';
import type {HookEvent} from './hook-events.ts';
import type {Hooks} from './hooks.ts';
import type {Hook} from './read-hooks.ts';
import {translatedFor} from './translate-tool-names.ts';

type ToolHooks = Pick<DispatcherOptions, 'preHooks' | 'postHooks' | 'permissionHook'>;

/** Turns the hooks of a thread into stages of the dispatcher; empty if there are none. */
export function toolHooks(hooks: Hooks): ToolHooks {
  const has = (...events: HookEvent[]): boolean => events.some((event) => hooks.of(event).length > 0);
  return {
    preHooks: hooks.of('pre_tool_use').map((hook) => preHook(hooks, hook)),
    postHooks: has('post_tool_use', 'post_tool_use_failure') ? [postHook(hooks)] : [],
    permissionHook: has('permission_request') ? permissionHook(hooks) : undefined,
  };
}

/** Creates one stage for each hook, in their order: each sees the input that the one before has rewritten, and none runs after a denial. */
function preHook(hooks: Hooks, hook: Hook): PreToolHook {
  return async (call, signal) => {
    const translated = translatedFor(hook, call);
    if (translated === undefined) return undefined;
    const answer = await hooks.ask(hook, {...translated, tool_use_id: call.callId}, signal);
    if (answer.verdict === 'deny' || answer.stop !== undefined) return {deny: answer.reason ?? answer.stop ?? 'no reason'};
    const said: HookedCall = {input: answer.input, permission: answer.verdict, reason: answer.reason, context: answer.context};
    return said;
  };
}

function postHook(hooks: Hooks): PostToolHook {
  return async (call, {text, isError, durationMs}, signal) => {
    const said: string[] = [];
    const result = isError ? {error: text} : {tool_response: {output: text}};
    for (const hook of hooks.of(isError ? 'post_tool_use_failure' : 'post_tool_use')) {
      const translated = translatedFor(hook, call);
      if (translated === undefined) continue;
      const payload = {...translated, ...result, tool_use_id: call.callId, duration_ms: Math.round(durationMs)};
      const {verdict, reason, context} = await hooks.ask(hook, payload, signal);
      if (verdict === 'deny') said.push(reason ?? 'no reason');
      if (context !== undefined) said.push(context);
    }
    return said.length === 0 ? undefined : {context: said.join('\n')};
  };
}

/**
 * One denial is enough. A hook that allows another input than the one that was judged allows nothing: rewriting
 * belongs to `pre_tool_use`, where the new input is evaluated.
 */
function permissionHook(hooks: Hooks): PermissionHook {
  return async (request, signal) => {
    let allowed = false;
    for (const hook of hooks.of('permission_request')) {
      const translated = translatedFor(hook, request);
      if (translated === undefined) continue;
      const answer = await hooks.ask(hook, {...translated, ...questionOf(request)}, signal);
      if (answer.verdict === 'deny') return {decision: 'deny', feedback: answer.reason};
      if (answer.input !== undefined) return {decision: 'deny', feedback: 'a hook wants another input; PreToolUse hooks may rewrite it'};
      allowed ||= answer.verdict === 'allow';
    }
    return allowed ? {decision: 'allow'} : undefined;
  };
}

function questionOf({callId, subjects, decision}: HookRequest): JsonObject {
  return {
    tool_use_id: callId,
    reason: decision.reason,
    subjects: subjects.map(subjectText),
    permission_suggestions: [...decision.offers],
  };
}

function subjectText(subject: Subject): string {
  if (subject.kind === 'command') return subject.command;
  return subject.kind === 'name' ? subject.name : subject.path;
}
