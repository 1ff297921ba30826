import {isFettleError} from '../../base/errors.ts';
import type {JsonObject} from '../../base/json.ts';
import type {PromptJudge} from '../prompt-judge.ts';
import type {EndJudge} from '../turn-end.ts';
import type {HookAnswer} from './hook-answer.ts';
import type {HookEvent} from './hook-events.ts';
import type {Hooks} from './hooks.ts';

/** The number of times that a stop hook may send an answer of one turn back (vtcode architecture › continuation: bounded). */
export const MAX_REJECTIONS = 5;

export interface HookSessionFacts {
  readonly source: 'startup' | 'resume';
}

/** Runs the hooks at the start of a session, before its first prompt, and those at each prompt. */
export function promptJudge(hooks: Hooks, {source}: HookSessionFacts): PromptJudge {
  let begun = false;
  return async ({text, turnId}, signal) => {
    const occasions: Occasion[] = [{event: 'user_prompt_submit', name: '', payload: {turn_id: turnId, prompt: text}}];
    if (!begun) occasions.unshift({event: 'session_start', name: source, payload: {source}});
    begun = true;
    const context: string[] = [];
    try {
      for (const occasion of occasions) {
        const answers = await askAll(hooks, occasion, signal);
        const no = answers.find(({verdict, stop}) => stop !== undefined || (verdict === 'deny' && occasion.event !== 'session_start'));
        if (no !== undefined) return refused(hooks, no);
        context.push(...answers.flatMap((answer) => (answer.context === undefined ? [] : [markedAsHook(answer.context)])));
      }
    } catch (error) {
      // The turn sees that it was cancelled.
      if (!isFettleError(error) || error.code !== 'CANCELLED') throw error;
    }
    return {context};
  };
}

/** Only this turn ends, not the next one, too. */
function refused(hooks: Hooks, {reason, stop}: HookAnswer): {readonly refused: string} {
  hooks.takeStop();
  return {refused: reason ?? stop ?? 'no reason'};
}

/** Marks a text with its origin: it does not come from the person. */
export function markedAsHook(context: string): string {
  return `[hook: ${context}]`;
}

/**
 * A final answer is complete when no stop hook objects. Each rejection goes to the model; after too many, the turn ends as blocked, because
 * the condition of the hook was not met.
 */
export function stopJudge(hooks: Hooks): EndJudge {
  return async ({text, turnId, rejections}, signal) => {
    const payload = {turn_id: turnId, stop_hook_active: rejections > 0, last_assistant_message: text};
    try {
      for (const hook of hooks.of('stop')) {
        const {verdict, reason = 'no reason', stop} = await hooks.ask(hook, payload, signal);
        if (stop !== undefined) return void hooks.takeStop();
        if (verdict !== 'deny') continue;
        if (rejections < MAX_REJECTIONS) return {feedback: `[hook: ${reason}]`};
        const message = `A stop hook did not accept the answer ${MAX_REJECTIONS + 1} times: ${reason}`;
        return {outcome: 'blocked', message, hint: 'Check what the hook expects, or switch it off.'};
      }
    } catch (error) {
      if (!isFettleError(error) || error.code !== 'CANCELLED') throw error;
    }
    return undefined;
  };
}

interface Occasion {
  readonly event: HookEvent;
  /** The text that matchers are compared with. */
  readonly name: string;
  readonly payload: JsonObject;
}

/** Runs every hook of an event that is not about tools, in order, up to the first that blocks. Throws only CANCELLED. */
export async function askAll(hooks: Hooks, {event, name, payload}: Occasion, signal: AbortSignal): Promise<readonly HookAnswer[]> {
  const answers: HookAnswer[] = [];
  for (const hook of hooks.of(event).filter(({matcher}) => matcher(name))) {
    const answer = await hooks.ask(hook, payload, signal);
    answers.push(answer);
    if (answer.verdict === 'deny' || answer.stop !== undefined) break;
  }
  return answers;
}
