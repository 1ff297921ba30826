import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {controlAgent, type ControlAgentArgs, type ControlAgentResult} from '../operations/agent/control-agent.ts';
import {mergeAgent} from '../operations/agent/merge-agent.ts';
import {defineTool, type Tool} from '../toolset.ts';
import * as alias from '../compat/parameter-aliases.ts';

const described = (text: string) => z.optional(z.string().check(z.describe(text)));

const WAIT_S = {default: 300, max: 3600};

const agents = defineTool({
  name: 'agents',
  description:
    'Subagents that work beside you, each in a conversation of its own: spawn one for bounded side work, send it more, wait for its report, resume or close it, list all. What they say is advice: check it. If your next step needs the result, do the work yourself, or use task.',
  input: z.object({
    action: z.enum(['spawn', 'send', 'wait', 'resume', 'close', 'list']),
    agent: described('spawn: a profile such as explore, worker, reviewer; else an id such as worker-1'),
    message: described('spawn, send, resume: all that it must know'),
    now: z.optional(z.boolean().check(z.describe('send: before its next step, not when it is done'))),
    agents: z.optional(z.array(z.string()).check(z.describe('wait: ids, default all'))),
    timeout_s: z.optional(z.int().check(z.minimum(0), z.describe('wait: default 300, at most 3600'))),
  }),
  aliases: alias.aliasesOf({
    agent: ['id', 'agent_type', 'subagent_type', 'target', 'name'],
    message: ['task', 'prompt', 'input'],
    now: ['interrupt', 'steer'],
    agents: ['ids', 'targets'],
    timeout_s: ['timeout', 'timeout_secs'],
  }),
  operation: controlAgent,
  toArgs: ({action, agent, message, now, agents: ids, timeout_s: timeout}) => ({
    action,
    agent,
    message,
    now: now ?? false,
    agents: ids ?? (action === 'wait' && agent !== undefined ? [agent] : []),
    timeoutMs: Math.min(timeout ?? WAIT_S.default, WAIT_S.max) * 1000,
  }),
  render: agentsReply,
});

const merge = defineTool({
  name: 'merge_agent',
  description:
    'Bring what a subagent changed in its own worktree into the workspace: all or nothing, on the branch it came from. Look at its diff first (wait shows it). A person is asked.',
  input: z.object({agent: z.string().check(z.describe('an id such as worker-1'))}),
  aliases: alias.aliasesOf({agent: ['id', 'target', 'name']}),
  operation: mergeAgent,
  toArgs: ({agent}) => ({agent}),
  render({files}, {agent}) {
    const lines = files.map(({name, kind}) => `${MARKS[kind]} ${name}`);
    return {
      text: files.length === 0 ? `${agent} changed nothing.` : `Merged from ${agent}:\n${lines.join('\n')}`,
      summary: `merged ${counted(files.length, 'file')}`,
      changes: files.map(({path, kind}) => ({path, kind})),
    };
  },
});

const MARKS = {add: 'A', delete: 'D', update: 'M'} as const;

/** For toolset `fettle`: one tool to control subagents, and one to merge their changes. */
export const AGENT_TOOLS: readonly Tool[] = [agents, merge];

const spawn = defineTool({
  name: 'spawn_agent',
  description: 'Start a subagent for bounded side work beside you. Returns its id; wait_agent gets its report.',
  input: z.object({agent_type: z.string(), message: z.string().check(z.describe('all that it must know'))}),
  aliases: alias.aliasesOf({agent_type: ['agent', 'type', 'profile'], message: ['task', 'prompt']}),
  operation: controlAgent,
  toArgs: ({agent_type: agent, message}) => ({...order('spawn'), agent, message}),
  render: agentsReply,
});

const send = defineTool({
  name: 'send_input',
  description: 'Tell a subagent more: when it is done, or, with interrupt, before its next step.',
  input: z.object({id: z.string(), message: z.string(), interrupt: z.optional(z.boolean())}),
  aliases: alias.aliasesOf({id: ['agent', 'target', 'agent_id'], message: ['input', 'text']}),
  operation: controlAgent,
  toArgs: ({id, message, interrupt}) => ({...order('send'), agent: id, message, now: interrupt ?? false}),
  render: agentsReply,
});

const wait = defineTool({
  name: 'wait_agent',
  description: 'Wait until subagents are done, and get their reports. Without targets: all.',
  input: z.object({
    targets: z.optional(z.array(z.string())),
    timeout_ms: z.optional(z.int().check(z.minimum(0), z.describe('default 300000, at most 3600000'))),
  }),
  aliases: alias.aliasesOf({targets: ['ids', 'agents', 'id'], timeout_ms: ['timeout']}),
  operation: controlAgent,
  toArgs: ({targets, timeout_ms: timeout}) => ({
    ...order('wait'),
    agents: targets ?? [],
    timeoutMs: Math.min(timeout ?? WAIT_S.default * 1000, WAIT_S.max * 1000),
  }),
  render: agentsReply,
});

const resume = defineTool({
  name: 'resume_agent',
  description: 'Let a subagent that failed, was closed or was cut off go on.',
  input: z.object({id: z.string(), message: z.optional(z.string())}),
  aliases: alias.aliasesOf({id: ['agent', 'target', 'agent_id']}),
  operation: controlAgent,
  toArgs: ({id, message}) => ({...order('resume'), agent: id, message}),
  render: agentsReply,
});

const close = defineTool({
  name: 'close_agent',
  description: 'End a subagent. Its output and changes stay.',
  input: z.object({target: z.string()}),
  aliases: alias.aliasesOf({target: ['id', 'agent', 'agent_id']}),
  operation: controlAgent,
  toArgs: ({target}) => ({...order('close'), agent: target}),
  render: agentsReply,
});

/** The same under the names of VT Code › delegation. */
export const AGENT_TOOLS_BY_NAME: readonly Tool[] = [spawn, send, wait, resume, close, merge];

function order(action: ControlAgentArgs['action']): ControlAgentArgs {
  return {action, now: false, agents: [], timeoutMs: WAIT_S.default * 1000};
}

function agentsReply({agents: infos, diff}: ControlAgentResult): {text: string; summary: string} {
  const blocks = infos.map(({id, status, task, message, response, changes}) => {
    const why = message === undefined ? '' : ` (${message})`;
    const waits = changes === undefined ? '' : `\n[${counted(changes.length, 'changed file')} not merged: merge_agent]`;
    const said = response === undefined ? '' : `\n${response}`;
    return `${id}: ${status}${why}${said === '' ? ` · ${task}` : ''}${said}${waits}`;
  });
  const shown = diff === undefined || diff === '' ? [] : [diff];
  const text = [...blocks, ...shown].join('\n\n') || 'No subagent was started.';
  return {text, summary: infos.map(({id, status}) => `${id} ${status}`).join(', ') || 'none'};
}
