import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {isJsonObject, parseJson} from '../../../base/json.ts';
import {createRedactor} from '../../../base/redact.ts';
import {shellQuoted} from '../../../base/shell-word.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {addServers, listedWithServers} from '../../../sdk/tools/add-servers.ts';
import {loadSettings, type SessionSettings} from '../../../sdk/settings/load-settings.ts';
import {loadToolset, type LoadedToolset} from '../../../sdk/tools/load-toolset.ts';
import {openTools} from '../../../sdk/tools/open-tools.ts';
import type {Decision} from '../../../policy/decision.ts';
import type {ApprovalAnswer, DispatchResult} from '../../../tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../../tools/dispatch/dispatcher.ts';
import {toolSchemas} from '../../../tools/arguments/schema.ts';
import type {Tool, Toolset} from '../../../tools/toolset.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {noteKept} from '../output/note-kept.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

/** `fettle tools list`: names, descriptions and where a tool comes from, or the schemas exactly as models get them. */
export async function listTools(io: Io, options: SettingOptions & {readonly json?: true; readonly all?: true}): Promise<number> {
  const {toolset, files} = await toolsetFor(io, await settingsFor(io, options));
  const tools = options.all === true ? await callableTools(toolset) : toolset.tools.filter(({audience}) => audience !== 'nobody');
  if (options.json === true) io.data(`${JSON.stringify(toolSchemas({tools}), null, 2)}\n`);
  else {
    const width = Math.max(0, ...tools.map((tool) => tool.name.length));
    for (const {name, sideEffect, description} of tools) {
      const file = files.get(name);
      const from = file === undefined ? '' : `  (${file})`;
      io.data(`${name.padEnd(width)}  ${sideEffect.padEnd(8)}  ${description.split('\n', 1)[0]}${from}\n`);
    }
  }
  return EXIT.done;
}

/** Also those that models are not told of, or only by tool_search. */
async function callableTools({tools, deferred}: Toolset): Promise<readonly Tool[]> {
  return [...tools, ...((await deferred?.()) ?? [])];
}

/** `fettle tools show NAME`: what a model is told about one tool. */
export async function showTool(io: Io, name: string, options: SettingOptions): Promise<number> {
  const session = await settingsFor(io, options);
  const {toolset} = await toolsetFor(io, session, serversOf(session, {name, json: '{}'}));
  const schema = toolSchemas({tools: await callableTools(toolset)}).find((tool) => tool.name === name);
  if (schema === undefined) {
    const names = toolset.tools.map((tool) => tool.name).join(', ');
    throw new FettleError({
      code: 'USAGE',
      message: `${toolset.refusal?.(name) ?? `The toolset ${toolset.name} has no tool ${name}`}.`,
      hint: `It has ${names}.`,
    });
  }
  io.data(`${JSON.stringify(schema, null, 2)}\n`);
  return EXIT.done;
}

/**
 * `fettle tools call NAME JSON`: the same dispatcher as in a thread, without a model. What would be asked is carried out and named on stderr,
 * unless it is asked because of where it acts; what a rule denies is not done.
 */
export async function callTool(
  io: Io,
  call: {name: string; json: string},
  options: SettingOptions & {readonly json?: true},
): Promise<number> {
  const session = await settingsFor(io, options);
  const opened = await openTools({session, spoolDir: join(session.paths.stateDir, 'spool', 'tools')});
  const text = call.json === '-' ? await io.readStdin() : call.json;
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  const signal = interrupts.signal();
  const only = serversOf(session, {name: call.name, json: text});
  const servers = only.length > 0 ? await addServers(opened, session, {signal, only, onWait: io.note}) : undefined;
  try {
    for (const notice of (servers ?? opened).notices) io.note(notice);
    const dispatcher = createDispatcher({...(servers ?? opened).dispatcher, approve: async ({decision}) => carriedOut(io, decision)});
    const [result] = await dispatcher.dispatchAll([{id: 'call_1', name: call.name, arguments: text}], signal);
    if (result === undefined) throw new FettleError({code: 'INTERNAL', message: 'The call has no result.'});
    // Paths of changes are needed as they are until here.
    const redactor = createRedactor({secrets: opened.dispatcher.secrets, shapes: false});
    if (options.json === true) io.data(`${JSON.stringify(redactor.value(structuredForm(result)), null, 2)}\n`);
    else io.shown(`${result.text}\n`);
    return exitCodeOf(result);
  } finally {
    const [kept] = await Promise.all([opened.endJobs(), servers?.close()]);
    noteKept(io, kept);
    interrupts.dispose();
  }
}

/**
 * Who types the command has decided, but for where it acts: what is outside the workspace, or obeyed by other programs, needs a rule that
 * spells it out. Throws DENIED for that.
 */
function carriedOut(io: Io, {parts, reason}: Decision): ApprovalAnswer {
  const placed = parts.filter(({verdict, place}) => verdict === 'ask' && place !== undefined);
  const [first] = placed;
  if (first === undefined) {
    io.note(createRedactor({shapes: true}).text(`Asked about, and carried out because you called it: ${reason}`));
    return {decision: 'allow'};
  }
  const rules = [...new Set(placed.map(({place}) => place?.allow))];
  const flags = rules.every((rule) => rule !== undefined) ? rules.map((rule) => `--allow ${shellQuoted(rule)}`).join(' ') : undefined;
  throw new FettleError({
    code: 'DENIED',
    message: `Denied: ${first.reason}, and \`tools call\` needs a rule for such a place.`,
    hint: flags === undefined ? 'No rule allows it in this form: name the file by its plain path.' : `It passes with ${flags}`,
  });
}

/** The toolset with the tools of MCP servers, of all or some of them; notices are told. */
async function toolsetFor(io: Io, session: SessionSettings, only?: readonly string[]): Promise<Omit<LoadedToolset, 'notices'>> {
  const loaded = await loadToolset(session);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const listed = await listedWithServers(loaded.toolset, session, {signal: interrupts.signal(), only, onWait: io.note});
    for (const notice of [...loaded.notices, ...listed.notices]) io.note(notice);
    return {...loaded, toolset: listed.toolset};
  } finally {
    interrupts.dispose();
  }
}

/** The servers that a call needs, by their names: a server takes its time to start, and starting it runs a program. */
function serversOf({settings}: SessionSettings, {name, json}: {readonly name: string; readonly json: string}): readonly string[] {
  const names = settings.mcp_servers.map((server) => server.name);
  if (name === 'mcp_resources') {
    const input = parseJson(json);
    const named = names.filter((server) => isJsonObject(input) && [input['server'], input['server_name']].includes(server));
    return named.length > 0 ? named : names;
  }
  return names
    .filter((server) => name.startsWith(`mcp__${server}__`))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 1);
}

async function settingsFor(io: Io, options: SettingOptions): Promise<SessionSettings> {
  const session = await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)});
  for (const notice of session.notices) io.note(notice);
  return session;
}

function structuredForm(result: DispatchResult): object {
  return {
    tool: result.toolName,
    outcome: result.outcome,
    is_error: result.isError,
    summary: result.summary,
    result: result.structured,
    changes: result.changes,
    spool_path: result.spoolPath ?? null,
    repairs: result.repairs,
    notes: result.notes,
    duration_ms: Math.round(result.durationMs),
    ...(result.fromCache === true ? {from_cache: true} : {}),
  };
}

function exitCodeOf({outcome}: DispatchResult): number {
  switch (outcome) {
    case 'success':
      return EXIT.done;
    case 'denied':
      return EXIT.denied;
    case 'invalid':
      return EXIT.usage;
    case 'cancelled':
      return EXIT.interrupted;
    case 'loop':
      return EXIT.loop;
    case 'error':
      return EXIT.failed;
  }
}
