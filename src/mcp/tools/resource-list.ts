import type {Resource, ResourceTemplateType} from '@modelcontextprotocol/client';
import {cleanLine} from '../clean-text.ts';
import type {CallOptions, RunningServer} from '../connection/connection.ts';
import {fromServer} from './result-text.ts';

/** Most entries listed for each server; more are counted. */
const MAX_LISTED = 200;

/** Lists the resources of one server, one line for each: address, name, kind and size, description. */
export async function resourceList(
  {server, connection}: RunningServer,
  options: CallOptions,
): Promise<{readonly text: string; readonly count: number}> {
  const doing = 'listing resources';
  const {resources} = await connection.request({doing, send: (client, sent) => client.listResources(undefined, sent)}, options);
  const templates = await connection.request(
    // A server with resources may have no templates, and not know the question.
    {doing, send: (client, sent) => client.listResourceTemplates(undefined, sent).catch(() => ({resourceTemplates: []}))},
    options,
  );
  const usable = resources.filter(({uri}) => isUsableUri(uri));
  const lines = [
    ...usable.slice(0, MAX_LISTED).map(resourceLine),
    ...templates.resourceTemplates
      .filter(({uriTemplate}) => isUsableUri(uriTemplate))
      .slice(0, MAX_LISTED)
      .map(templateLine),
  ];
  const left = resources.length - Math.min(usable.length, MAX_LISTED);
  const rest = left > 0 ? [`(${left} more resources are not listed)`] : [];
  const text = lines.length === 0 ? `${server.name}: (no resources)` : fromServer(server.name, lines.join('\n'));
  return {text: [text, ...rest].join('\n'), count: resources.length};
}

/** Tells whether an address can be shown as it is: one that cannot could not be asked for either. */
export function isUsableUri(uri: string): boolean {
  return uri !== '' && uri.length <= 1000 && cleanLine(uri, 1000) === uri && !/\s/.test(uri);
}

function resourceLine({uri, name, mimeType, size, description}: Resource): string {
  const facts = [mimeType === undefined ? '' : cleanLine(mimeType, 80), size === undefined ? '' : `${size} bytes`].filter(
    (fact) => fact !== '',
  );
  return line(uri, {name, facts: facts.length > 0 ? ` (${facts.join(', ')})` : '', description});
}

function templateLine({uriTemplate, name, mimeType, description}: ResourceTemplateType): string {
  return line(uriTemplate, {name, facts: mimeType === undefined ? ' (template)' : ` (template, ${cleanLine(mimeType, 80)})`, description});
}

function line(uri: string, {name, facts, description}: {name: string; facts: string; description: string | undefined}): string {
  const about = description === undefined ? '' : `: ${cleanLine(description, 200)}`;
  return `${uri}  ${cleanLine(name, 100)}${facts}${about}`;
}
