import type {PromptJudge} from '../../agent/prompt-judge.ts';
import type {RunResult} from '../../agent/thread.ts';
import type {EndJudge} from '../../agent/turn-end.ts';
import type {TurnContext} from '../../agent/turn-context.ts';
import type {ThreadPlugin} from './thread-plugin.ts';

/** Wraps the function that sends requests in those of the plugins. */
export function foldRequest(plugins: readonly ThreadPlugin[], request: TurnContext['request']): TurnContext['request'] {
  return plugins.reduceRight((inner, plugin) => plugin.wrapRequest?.(inner) ?? inner, request);
}

/** Wraps the function that runs calls in those of the plugins. */
export function foldTools(plugins: readonly ThreadPlugin[], run: TurnContext['runTools']): TurnContext['runTools'] {
  return plugins.reduceRight((inner, plugin) => plugin.wrapTools?.(inner) ?? inner, run);
}

export function endJudgesOf(plugins: readonly ThreadPlugin[]): readonly EndJudge[] {
  return plugins.flatMap(({judgeEnd}) => (judgeEnd === undefined ? [] : [judgeEnd]));
}

/** Combines the judges of all plugins into one: the last plugin of the list is asked first, but the text of the first one comes first. */
export function foldPromptJudges(plugins: readonly ThreadPlugin[]): PromptJudge {
  const judges = plugins.flatMap(({judgePrompt}) => (judgePrompt === undefined ? [] : [judgePrompt])).reverse();
  return async (prompt, signal) => {
    let context: readonly string[] = [];
    for (const judge of judges) {
      const verdict = await judge(prompt, signal);
      if ('refused' in verdict) return verdict;
      context = [...verdict.context, ...context];
    }
    return {context};
  };
}

/** Closes the plugins one by one, in the order of the list. Returns their errors instead of throwing: the log must be closed first. */
export async function closePlugins(plugins: readonly ThreadPlugin[], result: RunResult | undefined): Promise<readonly unknown[]> {
  const thrown: unknown[] = [];
  for (const plugin of plugins) {
    try {
      await plugin.close?.(result);
    } catch (error) {
      thrown.push(error);
    }
  }
  return thrown;
}
