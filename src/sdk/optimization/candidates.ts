import type {OptimizationSettings} from '../../config/settings.ts';
import {MODEL_DECISION} from '../settings/auto-model.ts';
import type {ToolDecision} from '../settings/auto-choices.ts';

/** The candidates that the settings name for a decision of Fettle itself; undefined for a decision of a program. */
export function candidatesOf(
  decision: string,
  {models, toolsets, edit_dialects: dialects}: OptimizationSettings,
): readonly string[] | undefined {
  if (decision === MODEL_DECISION) return models;
  if (isAsked('toolset' satisfies ToolDecision, decision)) return toolsets;
  if (isAsked('edit' satisfies ToolDecision, decision)) return dialects;
  return isAsked('lab-executor', decision) ? ['local', 'queue'] : undefined;
}

/** True for the decision of this name, and for one of its kind: `toolset` asks for `toolset:PROVIDER/MODEL` of every model. */
export function isAsked(asked: string, decision: string): boolean {
  return decision === asked || decision.startsWith(`${asked}:`);
}
