import {FettleError} from '../../base/errors.ts';
import type {AgentRunner} from '../../tools/agent-runner.ts';
import type {Hooks} from './hooks.ts';
import {askAll} from './turn-hooks.ts';

/** A runner of agents with the hooks around each agent: they may refuse one, tell it something, and say something to its answer. */
export function withAgentHooks(runner: AgentRunner, hooks: Hooks): AgentRunner {
  return {
    ...runner,
    async run(request, signal) {
      const {profile, callId, task} = request;
      const about = {agent_id: callId, agent_type: profile};
      const context: string[] = [];
      const started = await askAll(hooks, {event: 'subagent_start', name: profile, payload: {...about, prompt: task}}, signal);
      for (const {verdict, reason = 'no reason', context: told} of started) {
        if (verdict === 'deny') throw new FettleError({code: 'DENIED', message: `A hook does not let ${profile} start: ${reason}`});
        if (told !== undefined) context.push(`[hook: ${told}]`);
      }
      const result = await runner.run({...request, task: [task, ...context].join('\n\n')}, signal);
      const status = result.completed ? 'completed' : 'stopped';
      const payload = {...about, status, last_assistant_message: result.response, stop_hook_active: false};
      const ended = await askAll(hooks, {event: 'subagent_stop', name: profile, payload}, signal);
      const said = ended.flatMap(({verdict, reason, context: told}) => [...(verdict === 'deny' ? [reason ?? 'no reason'] : []), told ?? []].flat());
      return said.length === 0 ? result : {...result, response: [result.response, ...said.map((text) => `[hook: ${text}]`)].join('\n\n')};
    },
  };
}
