import {listCheckpoints, type RestoreReport} from '../../../../sdk/undo/checkpoints.ts';
import {describeRestore} from '../../../../sdk/undo/describe-restore.ts';
import {FettleError} from '../../../../base/errors.ts';
import {runTexts, type FileTexts} from '../../../../sdk/subagents/run-diff.ts';
import type {CommandResult, FileDiff, PickerItem} from '../../host-adapter.ts';
import type {Conversation} from '../conversation.ts';
import {text, type CommandTalk, type OwnCommand} from './session-command.ts';

/** Slash commands for changes and undo. */
export const UNDO_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'undo',
    description: 'undo the last turn that changed files, and the conversation since',
    run: (talk) => restored(talk, 'undo', 'both'),
  },
  {name: 'redo', description: 'redo what /undo took back', run: (talk) => restored(talk, 'redo', 'both')},
  {
    name: 'rewind',
    hint: '[CHECKPOINT]',
    description: 'go back to before an earlier turn: files, conversation or both',
    async run(talk, typed) {
      const [id = '', scope] = typed.split(/\s+/);
      if (id === '') return await pickCheckpoint(talk.conversation);
      const known = SCOPES.find(({value}) => value === scope)?.value;
      return known === undefined ? await pickScope(talk, id) : await restored(talk, id, known);
    },
  },
  {
    name: 'diff',
    hint: '[turn]',
    description: 'show what this session, or its newest turn, has changed',
    whileWorking: 'always',
    async run({conversation: {settings, thread}}, typed) {
      if (typed !== '' && typed !== 'turn')
        throw new FettleError({code: 'BAD_ARGS', message: `/diff does not know ${typed}.`, hint: 'Type /diff, or /diff turn.'});
      const part = typed === 'turn' ? 'turn' : 'session';
      const files = await runTexts({session: settings, threadId: thread.id, root: settings.cwd, part});
      if (files.length === 0) return text('No file was changed.');
      return {type: 'diff', title: part === 'turn' ? 'Changes of the newest turn' : 'Changes of this session', files: files.map(fileDiff)};
    },
  },
];

function fileDiff({path, kind, before = '', after = '', note}: FileTexts): FileDiff {
  return {path, ...(kind === 'created' ? {} : {before}), ...(kind === 'deleted' ? {} : {after}), ...(note === undefined ? {} : {note})};
}

const SCOPES = [
  {value: 'both', label: 'files and conversation'},
  {value: 'files', label: 'only the files'},
  {value: 'conversation', label: 'only the conversation'},
] as const;

async function pickCheckpoint({settings, thread}: Conversation): Promise<CommandResult> {
  const own = (await listCheckpoints(settings, thread.id)).filter(({state, changed}) => state !== 'undone' && changed.length > 0);
  if (own.length === 0) return text('Nothing to go back to: this session has changed nothing.');
  const items = own.toReversed().map(({id, title, startedAt, changed}): PickerItem => ({
    value: id,
    label: title.replaceAll(/\s+/g, ' ').slice(0, 80),
    detail: `${startedAt.slice(11, 16)} · ${changed.length} ${changed.length === 1 ? 'entry' : 'entries'}: ${changed.slice(0, 3).join(', ')}`,
  }));
  return {type: 'pick', title: 'Go back to before', items};
}

/** The preview: paths that would be restored, and those that would stay unchanged. */
async function pickScope({conversation: {thread}}: CommandTalk, id: string): Promise<CommandResult> {
  const report = await thread.restore({id, scope: 'files', dryRun: true});
  const preview = [...describeRestore(report, {dryRun: true}), ...pathLines(report)];
  return {type: 'pick', title: preview.join('\n'), items: SCOPES.map(({value, label}) => ({value: `${id} ${value}`, label}))};
}

const MOST_SHOWN = 20;

function pathLines({restored: paths}: RestoreReport): readonly string[] {
  const more = paths.length - MOST_SHOWN;
  return [...paths.slice(0, MOST_SHOWN).map((path) => `  ${path}`), ...(more > 0 ? [`  … and ${more} more`] : [])];
}

const BACK: Readonly<Record<string, string>> = {undo: '/redo', redo: '/undo'};

async function restored(
  {conversation: {thread}}: CommandTalk,
  id: string,
  scope: 'files' | 'conversation' | 'both',
): Promise<CommandResult> {
  const report = await thread.restore({id, scope});
  // The way back is a slash command here.
  const lines = describeRestore({...report, id: undefined}, {dryRun: false});
  return text(
    ...lines,
    ...pathLines(report),
    ...(report.id === undefined ? [] : [`Take this back: ${BACK[id] ?? `/rewind ${report.id} ${scope}`}`]),
  );
}
