import {newId} from '../base/ids.ts';
import {planPrompt} from '../context/plan-prompt.ts';
import type {ModelRequest} from '../models/provider.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import type {History} from '../sessions/history.ts';
import type {OpenedTools} from './open-tools.ts';

type MakeRequest = (signal: AbortSignal) => Promise<ModelRequest>;

export interface PlanWordsOptions {
  readonly tools: Pick<OpenedTools, 'dispatcher'>;
  readonly history: Pick<History, 'newest' | 'messages'>;
  readonly emit: (event: ThreadEvent) => void;
}

/** What a model is told of the mode `plan`; '' where the thread does not begin in it. */
export function planWords({dispatcher}: PlanWordsOptions['tools']): string {
  const {plan, facilities} = dispatcher.context;
  return plan === undefined || facilities?.has('plan_mode') !== true ? '' : planPrompt(plan.path);
}

/**
 * Tells it as long as the mode is on and the conversation does not say so: behind the first prompt, and again after it was shortened. It is no
 * part of the system prompt: that is the same before and after a plan is accepted, so that providers find it in their cache, and a session
 * that goes on with an accepted plan is not told of a mode that it is not in.
 */
export function tellOfPlan({tools, history, emit}: PlanWordsOptions): (request: MakeRequest) => MakeRequest {
  const words = planWords(tools);
  if (words === '') return (request) => request;
  const {modes} = tools.dispatcher.context;
  const tell = (): boolean => {
    const isOn = modes === undefined || modes.current() === 'plan';
    if (!isOn || history.newest().some((message) => message.role === 'user' && message.text === words)) return false;
    emit({type: 'item.completed', item: {id: newId('itm'), type: 'user_message', text: words, origin: 'harness'}});
    return true;
  };
  return (request) => async (signal) => {
    tell();
    const made = await request(signal);
    return tell() ? {...made, messages: history.messages()} : made;
  };
}
