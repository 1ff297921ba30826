import type {Mode} from '../../policy/decision.ts';
import type {ToolContext} from '../../tools/context.ts';
import type {Facility} from '../../tools/ports/capability.ts';

/** What tools that need something find in this session. It is settled when the session begins: schemas do not change in between. */
export function facilitiesOf({web, code, skills = []}: Pick<ToolContext, 'web' | 'code' | 'skills'>, mode: Mode): ReadonlySet<Facility> {
  return new Set<Facility>([
    ...(web?.search === undefined ? [] : (['web_search'] as const)),
    ...(code === undefined ? [] : (['symbols'] as const)),
    ...(skills.length === 0 ? [] : (['skills'] as const)),
    ...(mode === 'plan' ? (['plan_mode'] as const) : []),
  ]);
}
