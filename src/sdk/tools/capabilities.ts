import type {Mode} from '../../policy/decision.ts';
import type {ToolContext} from '../../tools/context.ts';
import type {Capability} from '../../tools/ports/capability.ts';

/**
 * Returns the capabilities of a session for tools that require one. They are fixed when the session begins: schemas do not change in
 * between.
 */
export function capabilitiesOf(
  {web, code, skills = [], schedule}: Pick<ToolContext, 'web' | 'code' | 'skills' | 'schedule'>,
  mode: Mode,
): ReadonlySet<Capability> {
  return new Set<Capability>([
    ...(web?.search === undefined ? [] : (['web_search'] as const)),
    ...(code === undefined ? [] : (['symbols'] as const)),
    ...(skills.length === 0 ? [] : (['skills'] as const)),
    ...(schedule === undefined ? [] : (['schedule'] as const)),
    ...(mode === 'plan' ? (['plan_mode'] as const) : []),
  ]);
}
