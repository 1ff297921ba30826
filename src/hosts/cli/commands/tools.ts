import {FettleError} from '../../../base/errors.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {toolSchemas} from '../../../tools/arguments/schema.ts';
import type {Tool, Toolset} from '../../../tools/toolset.ts';
import {settingsFor} from '../settings-for.ts';
import type {Io} from '../io.ts';
import type {SettingOptions} from '../command-line/run-options.ts';
import {serversOf, toolsetFor} from '../toolset-with-servers.ts';

/** `fettle tools list`: lists names, descriptions and sources of tools, or the schemas exactly as models get them. */
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

/** Also tools that are not advertised, or only by tool_search. */
async function callableTools({tools, deferred}: Toolset): Promise<readonly Tool[]> {
  return [...tools, ...((await deferred?.()) ?? [])];
}

/** `fettle tools show NAME`: shows one tool as models see it. */
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
