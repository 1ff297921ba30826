// An agent that is not Fettle, in the screen of Fettle: it repeats what it is told. Run it in a terminal: node echo-agent.ts
import {homedir} from 'node:os';
import {basename, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {runScreen, type AgentSession, type HostAdapter, type ScreenPort, type ThreadItem, type TurnEnding} from 'fettle/tui';

const host: HostAdapter = {
  appName: 'Echo',
  workspace: {name: basename(process.cwd()), root: process.cwd()},
  notifications: {notify: () => void process.stdout.write('\x07'), setFocused: () => undefined},
  themes: {available: ['auto', 'dark', 'light', 'none'], active: 'auto'},
};

const {lines} = await runScreen({
  host,
  surface: 'auto',
  keyboard: {enabled: true, reportEventTypes: false, reportAlternateKeys: true},
  stateDir: join(homedir(), '.echo-agent'),
  env: process.env,
  open: async (port) => openEcho(port),
});
for (const line of lines) console.log(line);

/** The conversation: what the screen shows of the agent, and what it can ask of it. */
function openEcho(port: ScreenPort): AgentSession {
  let turns = 0;
  let added: string[] = [];
  return {
    info: {model: 'echo-1', mode: 'polite'},
    earlier: [],
    notes: ['Whatever you write comes back.'],
    async submit(text, signal) {
      turns += 1;
      added = [];
      return await echo(port, {id: `turn-${turns}`, text, added: () => added.splice(0)}, signal);
    },
    steer: (text) => void added.push(text),
    commands: async () => [{name: 'count', description: 'how often you were heard', group: 'session'}],
    command: async (name) => (name === 'count' ? {type: 'text', text: `${turns} times.`} : undefined),
    files: async () => [],
    shell: async () => ({output: 'This agent has no shell.', exitCode: null}),
    close: async () => [`Heard ${turns} ${turns === 1 ? 'task' : 'tasks'}.`],
  };
}

interface Turn {
  readonly id: string;
  readonly text: string;
  /** What was typed into the running turn since the last time. */
  readonly added: () => readonly string[];
}

async function echo(port: ScreenPort, {id, text, added}: Turn, signal: AbortSignal): Promise<TurnEnding> {
  const reply = await port.approve(
    {id, tool: 'shout', reason: 'shouting wakes people', subject: [{text: 'shout '}, {text, risky: true}], diffs: [], rules: []},
    signal,
  );
  if (reply.decision !== 'once') return {outcome: 'success', lines: ['Nothing was shouted.']};
  await shout(port, {id, text}, signal);
  const said = [text, ...added()].map((one) => `> ${one}\n\n`).join('');
  await answer(port, {id: `${id}-answer`, text: `You said:\n\n${said}That has **${text.length}** characters.`}, signal);
  return {outcome: 'success', lines: []};
}

/** A tool that only pretends: one row for the call, its output below while it runs. */
async function shout(port: ScreenPort, {id, text}: Pick<Turn, 'id' | 'text'>, signal: AbortSignal): Promise<void> {
  const call = {id, type: 'tool_invocation', tool_name: 'shout', tool_call_id: id, arguments: JSON.stringify({text})} as const;
  port.onEvent({type: 'item.started', item: {...call, status: 'in_progress'}});
  for (const word of text.toUpperCase().split(' ')) {
    port.onEvent({type: 'item.updated', item_id: id, item_type: 'tool_invocation', delta: `${word}\n`, stream: 'stdout'});
    await pause(40, undefined, {signal});
  }
  const result = {id: `${id}:output`, type: 'tool_output', call_id: id, tool_call_id: id, tool_name: 'shout'} as const;
  const item: ThreadItem = {...result, output: text.toUpperCase(), summary: 'heard by all', is_error: false, status: 'completed'};
  port.onEvent({type: 'item.completed', item: {...call, status: 'completed', outcome: 'success'}});
  port.onEvent({type: 'item.completed', item});
}

/** Markdown that arrives in pieces. */
async function answer(port: ScreenPort, {id, text}: Pick<Turn, 'id' | 'text'>, signal: AbortSignal): Promise<void> {
  port.onEvent({type: 'item.started', item: {id, type: 'agent_message', text: ''}});
  for (const delta of text.match(/\S+\s*/g) ?? []) {
    port.onEvent({type: 'item.updated', item_id: id, item_type: 'agent_message', delta});
    await pause(15, undefined, {signal});
  }
  port.onEvent({type: 'item.completed', item: {id, type: 'agent_message', text}});
}
