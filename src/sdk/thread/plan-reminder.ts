import {newId} from '../../base/ids.ts';
import {planPrompt} from '../../context/plan-prompt.ts';
import type {ModelRequest} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {History} from '../../sessions/history.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';

type MakeRequest = (signal: AbortSignal) => Promise<ModelRequest>;

export interface PlanReminderOptions {
  readonly tools: Pick<OpenedTools, 'dispatcher'>;
  /** True if a person has switched the mode since this was asked last. */
  readonly wasSwitched: () => boolean;
  readonly history: Pick<History, 'newest' | 'messages'>;
  readonly emit: (event: ThreadEvent) => void;
}

/** Returns the instructions of the mode `plan`; '' if the thread does not begin in it. */
export function planInstructions({dispatcher}: PlanReminderOptions['tools']): string {
  const {plan, capabilities} = dispatcher.context;
  return plan === undefined || capabilities?.has('plan_mode') !== true ? '' : planPrompt(plan.path);
}

/** Sent if a person has left the mode without accepting a plan. */
export const PLAN_IS_OVER = 'The user has left the mode plan: the rules decide on changes again, and no plan has to be accepted first.';

/**
 * Reminds the model of plan mode while it is on and the conversation does not say so: after the first prompt,
 * and again after a compaction. It is not part of the system prompt, which stays the same before and after a
 * plan is accepted, so that providers find it in their cache, and a session that continues with an accepted plan
 * does not mention a mode that it has left. The model is also informed when a person switches to the mode, or
 * leaves it.
 */
export function withPlanReminder({tools, history, emit, wasSwitched}: PlanReminderOptions): (request: MakeRequest) => MakeRequest {
  const {plan, modes} = tools.dispatcher.context;
  if (plan === undefined || modes === undefined) return (request) => request;
  const words = planPrompt(plan.path);
  const say = (text: string): true => {
    emit({type: 'item.completed', item: {id: newId('itm'), type: 'user_message', text, origin: 'harness'}});
    return true;
  };
  const tell = (): boolean => {
    const isNew = wasSwitched();
    const isReported = lastReminder(history, [words, PLAN_IS_OVER]) === words;
    if (modes.current() === 'plan') return !isReported || isNew ? say(words) : false;
    return isReported && isNew ? say(PLAN_IS_OVER) : false;
  };
  return (request) => async (signal) => {
    tell();
    const made = await request(signal);
    return tell() ? {...made, messages: history.messages()} : made;
  };
}

/** Returns the one of these texts that the model was sent last. */
function lastReminder(history: PlanReminderOptions['history'], texts: readonly string[]): string | undefined {
  const last = history.newest().findLast((message) => message.role === 'user' && texts.includes(message.text));
  return last?.role === 'user' ? last.text : undefined;
}
