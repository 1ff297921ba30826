import {relative} from 'node:path';
import type {LoggedEvent} from '../../sessions/log-line.ts';
import type {SubagentLog} from '../../sessions/export/subagent-logs.ts';

/**
 * Lists subagents that changed the folder of a session, a line for each. A replay does not repeat their work, so what comes after it may be
 * different for this reason alone. Those that worked in a copy of the repository did nothing to the folder.
 */
export function subagentNotes(logs: readonly SubagentLog[], cwd: string): string[] {
  return logs.flatMap(({threadId, events, subagents}) => [...noteOf(threadId, events, cwd), ...subagentNotes(subagents, cwd)]);
}

function noteOf(threadId: string, events: readonly LoggedEvent[], cwd: string): string[] {
  const started = events.find(({event}) => event.type === 'thread.started')?.event;
  if (started?.type !== 'thread.started' || started.cwd !== cwd) return [];
  const done = events.flatMap(({event}) => (event.type === 'item.completed' ? [event.item] : []));
  const paths = new Set(done.flatMap((item) => (item.type === 'file_change' ? item.changes.map(({path}) => relative(cwd, path)) : [])));
  const commands = done.filter(({type}) => type === 'command_execution').length;
  const did = [
    ...(paths.size === 0 ? [] : [`changed ${listed([...paths])}`]),
    ...(commands === 0 ? [] : [`ran ${commands} ${commands === 1 ? 'command' : 'commands'}`]),
  ];
  if (did.length === 0) return [];
  return [`The subagent ${started.agent ?? ''} (${threadId}) ${did.join(' and ')}: not done again, what comes after it may differ.`];
}

const SHOWN = 5;

function listed(paths: readonly string[]): string {
  const more = paths.length - SHOWN;
  return `${paths.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more files` : ''}`;
}
