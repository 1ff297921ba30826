import type {RowCall} from '../rows.ts';
import type {PlannedCall} from '../wires/wire.ts';
import type {Tools} from './contender.ts';

/** Returns a plan in the tools of a contender. Throws with its reason where it has no tool for a call. */
export function translate(plan: readonly RowCall[], tools: Tools): PlannedCall[] {
  return plan.map((call) => {
    const tool = tools[call.name];
    if (typeof tool === 'string') throw new Error(tool);
    return tool(call.arguments);
  });
}
