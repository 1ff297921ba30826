import type {Prompt} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import {cleanLine, hasHidden} from '../clean-text.ts';
import type {RunningServer} from '../connection/connection.ts';
import {promptArguments, type ServerPrompt} from './prompt-arguments.ts';
import {blocksText, fromServer} from './result-text.ts';
import {publishedNames} from './tool-names.ts';

const MAX_PROMPTS = 100;
const MAX_TEXT = 100_000;

/** Lists the prompts of a server; none if it has none. Throws all other errors. */
export async function listPrompts({server, connection}: RunningServer, signal: AbortSignal): Promise<readonly ServerPrompt[]> {
  if (!connection.offers.prompts) return [];
  const {prompts} = await connection.request(
    {doing: 'listing prompts', send: (client, options) => client.listPrompts(undefined, options)},
    {signal, askUser: undefined, onProgress: () => undefined},
  );
  const isClean = (prompt: Prompt): boolean => ![prompt.name, ...(prompt.arguments ?? []).map(({name}) => name)].some(hasHidden);
  const taken = prompts.filter(isClean).slice(0, MAX_PROMPTS);
  const names = publishedNames(
    server.name,
    taken.map(({name}) => name),
  );
  const distinct = [...new Map(taken.toReversed().map((prompt) => [prompt.name, prompt])).values()].toReversed();
  return distinct.map((listed) => ({
    name: names.get(listed.name) ?? '',
    description: cleanLine(listed.description ?? listed.title ?? '', 200),
    arguments: (listed.arguments ?? []).slice(0, 50).map(({name, required}) => ({name: cleanLine(name, 60), required: required === true})),
    listed,
  }));
}

/**
 * Gets the prompt that a line names (`mcp__tracker__review src/a.ts focus=speed`), as text for the model: with its origin before it, so that
 * it cannot pass for words of the person. Throws BAD_ARGS with the known prompts, or with the missing arguments.
 */
export async function runPrompt(servers: readonly RunningServer[], line: string, signal: AbortSignal): Promise<string> {
  const [name = ''] = line.trim().split(/\s/, 1);
  const running = servers
    .filter(({server}) => name.startsWith(`mcp__${server.name}__`))
    .toSorted((a, b) => b.server.name.length - a.server.name.length)[0];
  const prompts = running === undefined ? [] : await listPrompts(running, signal);
  const prompt = prompts.find((one) => one.name === name);
  if (running === undefined || prompt === undefined) throw await unknownPrompt(servers, name, signal);
  const args = promptArguments(prompt, line.trim().slice(name.length));
  const {messages} = await running.connection.request(
    {
      doing: `getting the prompt ${cleanLine(prompt.listed.name, 100)}`,
      send: (client, options) => client.getPrompt({name: prompt.listed.name, arguments: args}, options),
    },
    {signal, askUser: undefined, onProgress: () => undefined},
  );
  const text = messages
    .map(({role, content}) => `${role === 'assistant' ? 'Assistant: ' : ''}${blocksText([content])}`)
    .join('\n\n')
    .trim();
  const more = text.length - MAX_TEXT;
  const cut = more > 0 ? `${text.slice(0, MAX_TEXT).toWellFormed()}\n[cut here: ${more} more characters]` : text;
  const {server} = running;
  return `I chose the prompt ${prompt.name} of the MCP server ${server.name}. Its text comes from the server:\n\n${fromServer(server.name, cut)}`;
}

/** `mcp__tracker__review path [focus]` */
export function promptUsage({name, arguments: wanted}: ServerPrompt): string {
  return [name, ...wanted.map((one) => (one.required ? one.name : `[${one.name}]`))].join(' ');
}

async function unknownPrompt(servers: readonly RunningServer[], name: string, signal: AbortSignal): Promise<FettleError> {
  const lists = await Promise.all(servers.map((running) => listPrompts(running, signal).catch(() => [])));
  const usages = lists.flat().map((prompt) => `/${promptUsage(prompt)}`);
  const hint = usages.length === 0 ? 'No running server has prompts.' : `There are: ${usages.slice(0, 30).join(', ')}.`;
  return new FettleError({code: 'BAD_ARGS', message: `There is no prompt ${cleanLine(name, 100)}.`, hint});
}
