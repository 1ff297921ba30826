import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, systemErrorCode} from '../../../../base/errors.ts';
import {EXPORT_FORMATS, exportSession} from '../../../../sessions/export/export-session.ts';
import {forkSession} from '../../../../sessions/session-fork.ts';
import {isUntouched, listSessions} from '../../../../sessions/session-list.ts';
import type {PickerItem} from '../../host-adapter.ts';
import type {Conversation} from '../conversation.ts';
import {text, type OwnCommand} from './session-command.ts';

/** Commands that select the conversation. */
export const SESSION_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'resume',
    hint: '[ID]',
    description: 'switch to another session of this folder',
    whileWorking: 'bare',
    async run(talk, typed, signal) {
      if (typed === '') {
        const items = sessionsOf(talk.conversation);
        return items.length === 0 ? text('No other session in this folder yet.') : {type: 'pick', title: 'Switch to', items};
      }
      if (typed === talk.conversation.thread.id) return text('You are in that session already.');
      return {type: 'switch', session: await talk.switchTo({id: typed}, signal)};
    },
  },
  {
    name: 'fork',
    description: 'continue in a copy of this session',
    async run(talk, _, signal) {
      const {thread, settings, facts} = talk.conversation;
      if (!facts.isUsed) return text('Nothing to fork yet: this session is empty.');
      const {threadId} = await forkSession(settings.paths.stateDir, thread.id);
      return {type: 'switch', session: await talk.switchTo({id: threadId}, signal)};
    },
  },
  {
    name: 'new',
    description: 'start a new session; this one is kept',
    run: async (talk, _, signal) => ({type: 'switch', session: await talk.switchTo(undefined, signal)}),
  },
  {
    name: 'clear',
    description: 'same as /new',
    run: async (talk, _, signal) => ({type: 'switch', session: await talk.switchTo(undefined, signal)}),
  },
  {
    name: 'export',
    hint: '[FORMAT]',
    description: 'write this session to a file in this folder',
    whileWorking: 'bare',
    async run({conversation}, typed) {
      const format = EXPORT_FORMATS.find((one) => one === typed);
      if (typed === '') return {type: 'pick', title: 'Export as', items: EXPORT_FORMATS.map((value) => ({value, label: value}))};
      if (format === undefined)
        throw new FettleError({code: 'BAD_ARGS', message: `${typed} is not an export format.`, hint: `Use ${EXPORT_FORMATS.join(', ')}.`});
      const {thread, settings} = conversation;
      const path = join(settings.cwd, `fettle-${thread.id}`);
      return text(`Written: ${await written(path, ENDINGS[format], await exportSession(thread.sessionFile, format))}`);
    },
  },
  {name: 'quit', description: 'leave; the session is kept', run: async () => ({type: 'end'})},
  {name: 'exit', description: 'same as /quit', run: async () => ({type: 'end'})},
];

const ENDINGS = {jsonl: 'jsonl', markdown: 'md', html: 'html', atif: 'atif.json', 'open-responses': 'responses.jsonl'} as const;

/** Never overwrites a file: the next free name has a number. Returns the path that was written. */
async function written(path: string, ending: string, content: string): Promise<string> {
  for (let number = 1; number <= MOST_EXPORTS; number += 1) {
    const numbered = `${path}${number === 1 ? '' : `-${number}`}.${ending}`;
    try {
      await writeFile(numbered, content, {flag: 'wx', mode: 0o600});
      return numbered;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
  }
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `${path}.${ending} and its numbered variants already exist.`,
    hint: 'Move old exports away first.',
  });
}

const MOST_EXPORTS = 100;

function sessionsOf({settings, thread}: Conversation): readonly PickerItem[] {
  const {paths, cwd} = settings;
  return listSessions({stateDir: paths.stateDir, cwd, limit: MOST_SESSIONS})
    .filter((session) => session.broken === undefined && !isUntouched(session) && session.threadId !== thread.id)
    .map(({threadId, title = '(no prompt)', updatedAt, turns}) => ({
      value: threadId,
      label: title,
      detail: `${updatedAt.slice(0, 16).replace('T', ' ')} · ${turns ?? 0} ${turns === 1 ? 'turn' : 'turns'}`,
    }));
}

const MOST_SESSIONS = 500;
