import type {CompactionGate} from '../../context/compaction/compaction.ts';
import type {Hooks} from './hooks.ts';
import {askAll, markedAsHook} from './turn-hooks.ts';

/**
 * Runs the hooks around a compaction. Hooks cannot stop one that is needed because the conversation no longer
 * fits. Afterwards the hooks of the session start run again (Claude Code › SessionStart, source compact), and
 * the model gets their answers.
 */
export function compactionGate(hooks: Hooks, tell: (context: string) => void): CompactionGate {
  return {
    async before({trigger, instructions}, signal) {
      const name = trigger === 'manual' ? 'manual' : 'auto';
      const payload = {trigger: name, custom_instructions: instructions ?? ''};
      const answers = await askAll(hooks, {event: 'pre_compact', name, payload}, signal);
      return trigger === 'overflow' || answers.every(({verdict, stop}) => verdict !== 'deny' && stop === undefined);
    },
    async after({trigger}, {mode, before, after}, signal) {
      const name = trigger === 'manual' ? 'manual' : 'auto';
      await askAll(
        hooks,
        {event: 'post_compact', name, payload: {trigger: name, mode, tokens_before: before, tokens_after: after}},
        signal,
      );
      const again = await askAll(hooks, {event: 'session_start', name: 'compact', payload: {source: 'compact'}}, signal);
      for (const {context} of again) if (context !== undefined) tell(markedAsHook(context));
    },
  };
}
