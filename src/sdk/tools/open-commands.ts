import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import {trustItemText} from '../../config/trust/trust-item.ts';
import type {CustomCommand} from '../../context/commands/custom-command.ts';
import type {Skill} from '../../tools/ports/skill.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** A slash command of a session, besides the commands of a host. */
export interface SlashEntry {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly kind: 'command' | 'skill';
}

export interface TypedCommands {
  /** Lists the commands, and the problems of those that cannot be used, one line each. */
  list(): Promise<{readonly entries: readonly SlashEntry[]; readonly problems: readonly string[]}>;
  /**
   * Returns the task that a line means: the prompt of a command with its arguments, the instructions of a skill,
   * or a prompt of an MCP server. A line that does not begin with a slash and a name is returned unchanged. Throws
   * BAD_ARGS for an unknown name.
   */
  task(line: string, signal: AbortSignal): Promise<string>;
}

export interface CommandSources {
  readonly session: Pick<SessionSettings, 'paths' | 'trust' | 'trusted'>;
  readonly skills: readonly Skill[];
  /** Commands of the host, which cannot be replaced. */
  readonly reserved?: readonly string[] | undefined;
  serverPrompt(line: string, signal: AbortSignal): Promise<string>;
}

/** Opens the custom commands and skills of a session, read when the first line with a slash is typed. */
export function openCommands({session, skills, reserved = [], serverPrompt}: CommandSources): TypedCommands {
  let reading: Promise<Found> | undefined;
  const found = async (): Promise<Found> => await (reading ??= readAll(session, skills, reserved));
  return {
    async list() {
      const {commands, problems, usable} = await found();
      const named = commands.map(({name, description, argumentHint}) => ({name, description, argumentHint, kind: 'command'}) as const);
      const skilled = usable.map(({name, description}) => ({name, description, argumentHint: '', kind: 'skill'}) as const);
      return {entries: [...named, ...skilled], problems};
    },
    async task(line, signal) {
      const [, name, typed = ''] = LINE.exec(line) ?? [];
      if (name === undefined) return line;
      if (name.startsWith('mcp__')) return await serverPrompt(line.slice(1), signal);
      const {commands, usable} = await found();
      const command = commands.find((one) => one.name === name);
      if (command !== undefined) {
        const {expandCommand} = await import('../../context/commands/expand-command.ts');
        return expandCommand(command.body, typed);
      }
      const skill = usable.find((one) => one.name === name);
      if (skill !== undefined) {
        const {skillTask} = await import('../../context/commands/skill-task.ts');
        return await skillTask(skill, typed, signal);
      }
      throw unknownName(name, [...reserved, ...[...commands, ...usable].map((one) => one.name)]);
    },
  };
}

/** A slash and a name; `/etc/hosts` is a path. */
const LINE = /^\/([\p{L}\p{N}][\p{L}\p{N}_:-]*)(?:\s+([^]*))?$/u;

interface Found {
  readonly commands: readonly CustomCommand[];
  /** Returns the skills whose name no command has. */
  readonly usable: readonly Skill[];
  readonly problems: readonly string[];
}

async function readAll(session: CommandSources['session'], skills: readonly Skill[], reserved: readonly string[]): Promise<Found> {
  const {paths, trust, trusted} = session;
  const {findCommands} = await import('../../context/commands/find-commands.ts');
  const items = trusted ? trust.items.filter(({kind}) => kind === 'command') : [];
  const found = await findCommands(
    join(paths.configDir, 'commands'),
    items.map((item) => ({path: item.path, text: trustItemText(item)})),
  );
  const commands: CustomCommand[] = [];
  const usable: Skill[] = [];
  const taken: string[] = [];
  const names = new Map(reserved.map((name) => [name, 'of the chat itself']));
  const isFree = (name: string, file: string): boolean => {
    const owner = names.get(name);
    if (owner === undefined) names.set(name, `from ${file}`);
    else taken.push(`${file}: not used as /${name}: that is ${owner}`);
    return owner === undefined;
  };
  // A project cannot replace anything of the user's. A skill of a project carries its text.
  for (const ofProject of [false, true]) {
    commands.push(...found.commands.filter((one) => one.isProject === ofProject && isFree(one.name, one.file)));
    usable.push(...skills.filter((one) => (one.text !== undefined) === ofProject && isFree(one.name, one.file)));
  }
  return {commands, usable, problems: [...found.problems, ...taken]};
}

/** A typo is reported before it costs a request. */
function unknownName(name: string, known: readonly string[]): FettleError {
  const nearest = nearestWord(name, known);
  const meant = nearest === undefined ? '' : `Did you mean /${nearest}? `;
  const names = namesOf(known);
  const hint = `${meant}${names} A task begins with another word.`;
  return new FettleError({code: 'BAD_ARGS', message: `There is no command /${name}.`, hint});
}

/** Lists the commands; if there are many, it refers to `/help`, where they are sorted. */
function namesOf(known: readonly string[]): string {
  if (known.length === 0) return 'There are none.';
  if (known.length > MOST_NAMED) return '/help lists all of them.';
  return `There are ${known.map((one) => `/${one}`).join(', ')}.`;
}

const MOST_NAMED = 12;
