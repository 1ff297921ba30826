import type {CommandSessions} from '../../tools/shells/command-sessions.ts';

/**
 * Returns the actions of a person on background commands that the model has not seen yet, for the front of the
 * next prompt. Each is returned once.
 */
export function personAsides(sessions: CommandSessions | undefined): readonly string[] {
  if (sessions === undefined) return [];
  const commands = new Map(sessions.list().map(({id, command}) => [id, command]));
  return Array.from(sessions.live.takeAllNotes(), ([id, notes]) => {
    const command = (commands.get(id) ?? '').replaceAll(/\s+/g, ' ').slice(0, MAX_COMMAND_CHARS);
    return `<user_action>\nIn session ${id} (${command}): ${notes.join('; ')}.\n</user_action>`;
  });
}

const MAX_COMMAND_CHARS = 200;
