import {FettleError} from '../../../../base/errors.ts';
import {showContext} from '../../../../sdk/sessions/show-context.ts';
import type {Conversation} from '../conversation.ts';
import {text, type CommandTalk, type OwnCommand} from './session-command.ts';

/** Slash commands that run a command line of Fettle. */
export const LINE_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'permissions',
    hint: '[add RULE | remove RULE]',
    description: 'show the permission rules; add or remove stored ones',
    whileWorking: 'bare',
    async run(talk, typed, signal) {
      const [, what, rule = ''] = /^(add|remove)\s+(.+)$/s.exec(typed) ?? [];
      return await line(talk, what === undefined ? ['permissions', 'list'] : ['permissions', what, rule], signal);
    },
  },
  {
    name: 'context',
    description: 'show what fills the context window',
    whileWorking: 'always',
    run: async ({conversation}, _, signal) => text(...(await contextLines(conversation, signal))),
  },
  {name: 'mcp', description: 'list the MCP servers', whileWorking: 'always', run: (talk, _, signal) => line(talk, ['mcp', 'list'], signal)},
  {
    name: 'config',
    description: 'show the settings in force and where each comes from',
    whileWorking: 'always',
    run: (talk, _, signal) => line(talk, ['config', 'show'], signal),
  },
  {
    name: 'doctor',
    description: 'check what Fettle needs on this machine',
    whileWorking: 'always',
    run: (talk, _, signal) => line(talk, ['doctor'], signal),
  },
  {
    name: 'init',
    hint: '[config | agents]',
    description: 'create a configuration file and an AGENTS.md where they are missing',
    run: (talk, typed, signal) => line(talk, ['init', ...typed.split(/\s+/).filter((word) => word !== '')], signal),
  },
];

async function line(
  {conversation, runCommandLine}: CommandTalk,
  args: readonly string[],
  signal: AbortSignal,
): ReturnType<OwnCommand['run']> {
  const [first = '', ...rest] = args;
  if (runCommandLine === undefined) {
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: 'No command line is available here.',
      hint: `Run it in a shell: fettle ${args.join(' ')}`,
    });
  }
  const done = await runCommandLine([first, ...rest, '-C', conversation.settings.cwd], signal);
  return text(done.text.trimEnd() === '' ? `Ended with ${done.exitCode}.` : done.text.trimEnd());
}

/** Parts of a request, named for people. */
const KINDS: Readonly<Record<string, string>> = {conduct: 'system prompt', place: 'environment', tool: 'tools', servers: 'MCP servers'};

async function contextLines({settings, thread, facts}: Conversation, signal: AbortSignal): Promise<readonly string[]> {
  const {parts, tokens, window, cuts} = await showContext(settings, facts.isUsed ? thread.id : undefined, signal);
  const kinds = Map.groupBy(
    parts.filter(({always}) => always),
    ({kind}) => kind,
  );
  const rows = [...kinds].map(([kind, own]) => [kind, own.length, own.reduce((sum, part) => sum + part.tokens, 0)] as const);
  return [
    ...rows.map(
      ([kind, count, size]) => `${size.toLocaleString('en').padStart(9)}  ${KINDS[kind] ?? kind}${count === 1 ? '' : ` (${count})`}`,
    ),
    `${tokens.toLocaleString('en').padStart(9)}  sent with every request (estimate), of ${window.tokens.toLocaleString('en')}`,
    ...(window.compact_at === null ? [] : [`Compaction starts at ${window.compact_at.toLocaleString('en')} tokens.`]),
    ...cuts.map((cut) => `Left out because of its size: ${cut}`),
  ];
}
