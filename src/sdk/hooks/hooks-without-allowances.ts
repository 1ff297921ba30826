import type {PermissionHook, PreToolHook} from '../../tools/dispatch/dispatch.ts';
import type {ThreadHooks} from './thread-hooks.ts';

/** Returns the same hooks for a run whose rights are explicit: they can still deny, ask, rewrite and add context, and "allow" counts for nothing. */
export function withoutAllowances(stages: ThreadHooks['stages']): ThreadHooks['stages'] {
  const {preHooks, permissionHook} = stages;
  return {
    ...stages,
    preHooks: preHooks?.map(withoutAllowance),
    permissionHook: permissionHook === undefined ? undefined : denyingHook(permissionHook),
  };
}

function withoutAllowance(hook: PreToolHook): PreToolHook {
  return async (call, signal) => {
    const answer = await hook(call, signal);
    if (answer === undefined || 'deny' in answer || answer.permission !== 'allow') return answer;
    return {...answer, permission: undefined, reason: undefined};
  };
}

function denyingHook(hook: PermissionHook): PermissionHook {
  return async (request, signal) => {
    const answer = await hook(request, signal);
    return answer?.decision === 'allow' ? undefined : answer;
  };
}
