import {hasRunningCall, waitsForModel, type Subagent} from '../agents/subagent.ts';
import type {StateChange} from '../model/action.ts';
import type {ScreenState} from '../model/screen-state.ts';

/** Time without an event after which a stall is shown. Milliseconds. */
export const STALLED_AFTER = 10_000;

/** Seconds for which nothing has come from a running turn; undefined if that is not yet worth a word, or a person is waited for. */
export function stalledFor({work, now, dialogs}: ScreenState): number | undefined {
  if (work?.what !== 'turn' || work.isCancelling || dialogs.length > 0) return undefined;
  return secondsOf(now - work.heardAt);
}

/** The same of one subagent that waits for its model. */
export function silentFor({now, dialogs}: ScreenState, agent: Subagent): number | undefined {
  return dialogs.length > 0 || !waitsForModel(agent) ? undefined : secondsOf(now - agent.heardAt);
}

/** Returns true if a model is waited for, so that a new request can help. */
export function canRetry({entries, subagents}: ScreenState): boolean {
  return !hasRunningCall(entries) || subagents.some(waitsForModel);
}

/** Sends stalled requests again; in the view of a subagent, only its own. Does nothing without a stall. */
export function retry(state: ScreenState): StateChange<ScreenState> {
  const {overlay, work, subagents, now} = state;
  const agent = overlay?.type === 'agent' ? subagents.find(({id}) => id === overlay.id) : undefined;
  if (agent !== undefined) {
    if (silentFor(state, agent) === undefined) return {state, effects: []};
    const heard = subagents.map((one) => (one === agent ? {...one, heardAt: now} : one));
    return {state: {...state, subagents: heard}, effects: [{type: 'retry', agentId: agent.id}]};
  }
  if (work === undefined || stalledFor(state) === undefined || !canRetry(state)) return {state, effects: []};
  return {state: {...state, work: {...work, heardAt: now}}, effects: [{type: 'retry'}]};
}

function secondsOf(milliseconds: number): number | undefined {
  return milliseconds < STALLED_AFTER ? undefined : Math.floor(milliseconds / 1000);
}
