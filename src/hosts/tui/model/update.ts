import {released, withLog} from '../agents/agent-log.ts';
import {applyAgentEvent, withAgents} from '../agents/apply-agent-event.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import {edit} from '../editor/edit.ts';
import type {LiveCommand} from '../../../protocol/live-command.ts';
import type {SessionInfo, TurnEnding} from '../host-adapter.ts';
import {NOTHING_LIVE, withCommands, withContent} from '../live-commands/live-state.ts';
import {planDialog} from '../plan/plan-dialog.ts';
import {trustDialog} from '../trust/trust-dialog.ts';
import {add, applyEvent, settled} from './apply-event.ts';
import type {Action, Change, Effect} from './action.ts';
import {applyKey} from '../keys/apply-key.ts';
import {dialogTitle} from './dialog-title.ts';
import type {Entry} from './entry.ts';
import {insertReferences} from './pictures/insert-references.ts';
import type {Dialog, ScreenState} from './screen-state.ts';
import {SCREEN_COMMANDS} from './screen-commands.ts';
import {backToEditor, beginQueued} from './queued.ts';
import {begin} from './submit.ts';
import {withSuggested} from './suggest.ts';

/** The only way from one state of the screen to the next. Pure: what has to be done besides is told as effects. @param now Milliseconds. */
export function update(before: ScreenState, action: Action, now: number): Change<ScreenState> {
  const state = {...before, now};
  const step = STEPS[action.type] as (state: ScreenState, action: Action) => Change<ScreenState>;
  const {state: after, effects} = step(state, action);
  const change = {state: released(before, after), effects};
  if (!asksStatus(before.info, action, change.state.info)) return change;
  return {...change, effects: [...change.effects, {type: 'askStatus', info: change.state.info}]};
}

const STEPS: {readonly [Type in Action['type']]: (state: ScreenState, action: Extract<Action, {type: Type}>) => Change<ScreenState>} = {
  key: (state, {key}) => applyKey(state, key),
  event: (state, {event}) => only(taken(state, event)),
  // A process that was killed has ended nothing of what ran.
  replay: (state, {events}) => only(add(settled(events.reduce(taken, state)), goesOn(state))),
  agents: (state, {agents}) => only(withAgents(state, agents)),
  agentLog: (state, {id, log}) => only(withLog(state, id, log)),
  resize: (state, {size}) => ({state: {...state, size}, effects: [{type: 'redraw'}]}),
  tick: only,
  drawn: (state, {printed}) => only(drawn(state, printed)),
  info: (state, {info}) => only({...state, info}),
  commands: (state, {commands}) => open({...state, commands: [...SCREEN_COMMANDS, ...commands]}),
  entry: (state, {entry}) => only(add(state, entry)),
  shell: (state, action) => only(shellOutput(state, action)),
  status: (state, {text}) => only({...state, statusText: text}),
  ended,
  approval: (state, {question}) => asked(state, {type: 'approval', id: question.id, question, choice: 0, scroll: 0}),
  questions: (state, action) => asked(state, questionsDialog(action)),
  trust: (state, {id, question}) => asked(state, trustDialog(id, question)),
  plan: (state, {id, question}) => asked(state, planDialog(id, question)),
  withdrawn: (state, {id}) => only({...state, dialogs: state.dialogs.filter((dialog) => dialog.id !== id)}),
  suggested: (state, action) => only(withSuggested(state, action)),
  diff: (state, action) => only({...state, overlay: {...action, file: 0, isOpen: action.files.length === 1, entry: 0, skip: 0}}),
  pick: (state, {title, command, items, current}) => {
    const at = Math.max(
      0,
      items.findIndex(({value}) => value === current),
    );
    return only({...state, overlay: {type: 'picker', title, command, items, query: '', at}});
  },
  background: (state, {commands}) => only(withBackground(state, commands)),
  live: (state, {id, content}) => only({...state, live: withContent(state.live, id, content)}),
  pictured: (state, action) => only(insertReferences(state, action)),
  submit: (state, {text}) => begin(state, text),
  text: (state, {text}) => only({...state, editor: edit(state.editor, {type: 'set', text})}),
  switched: (state, {folder, info}) =>
    only(
      add(
        {
          ...(state.isOpening === true ? state : backToEditor(state)),
          folder,
          info,
          todo: [],
          agents: [],
          subagents: [],
          dialogs: [],
          live: NOTHING_LIVE,
        },
        {kind: 'banner', appName: state.appName, folder, info},
      ),
    ),
};

function taken(state: ScreenState, event: ThreadEvent): ScreenState {
  return applyAgentEvent(applyEvent(state, event), event);
}

function only(state: ScreenState): Change<ScreenState> {
  return {state, effects: []};
}

/** The session is there, and the screen has said so: what was sent before begins. */
function open(state: ScreenState): Change<ScreenState> {
  if (state.isOpening !== true) return only(state);
  const opened = {...state, isOpening: undefined};
  return beginQueued(opened) ?? only(opened);
}

/** Nobody types into a command that has ended. */
function withBackground(state: ScreenState, commands: readonly LiveCommand[]): ScreenState {
  const live = withCommands(state.live, commands, state.now);
  const {overlay} = state;
  const isOver = overlay?.type === 'command' && live.commands.every(({id, end}) => id !== overlay.id || end !== undefined);
  return isOver ? {...state, live, overlay: {...overlay, mode: 'following'}} : {...state, live};
}

function goesOn({info}: ScreenState): Entry {
  const title = info.title === undefined ? '' : `: ${info.title}`;
  return {kind: 'notice', level: 'info', text: `Resumed${title}`};
}

/** The running line of the shell is the newest text that more comes for. */
function shellOutput(state: ScreenState, {output, end}: Extract<Action, {type: 'shell'}>): ScreenState {
  const at = state.entries.findLastIndex((entry) => entry.kind === 'plain' && entry.isRunning === true);
  const entry = state.entries[at];
  if (entry?.kind !== 'plain') return state;
  if (end === undefined) {
    const text = (entry.text + output).slice(-MOST_SHELL);
    return {...state, entries: state.entries.with(at, {...entry, text})};
  }
  const text = [output.trimEnd(), end].filter((part) => part !== '').join('\n') || '(no output)';
  return {...state, entries: state.entries.with(at, {kind: 'plain', text, keeps: 'end'})};
}

/** Characters of running output that are kept; the end brings all that is shown of it. */
const MOST_SHELL = 16 * 1024;

/** Whether the person's own command for the status line has something new to tell. */
function asksStatus(before: SessionInfo, {type}: Action, after: SessionInfo): boolean {
  return type === 'ended' || type === 'switched' || before.mode !== after.mode || before.model !== after.model;
}

/** The first dialog is on the screen from now on. */
function drawn(state: ScreenState, printed: ScreenState['printed']): ScreenState {
  const [first, ...rest] = state.dialogs;
  if (first === undefined || first.shownAt !== undefined) return {...state, printed};
  return {...state, printed, dialogs: [{...first, shownAt: state.now}, ...rest]};
}

function asked(state: ScreenState, dialog: Dialog): Change<ScreenState> {
  return {state: {...state, dialogs: [...state.dialogs, dialog]}, effects: [{type: 'notify', kind: 'question', text: dialogTitle(dialog)}]};
}

function questionsDialog({id, questions}: Extract<Action, {type: 'questions'}>): Dialog {
  const texts = questions.map((question) => ({
    ...question,
    header: visibleText(question.header),
    question: visibleText(question.question),
    options: question.options.map(({label, description}) => ({label: visibleText(label), description: visibleText(description)})),
  }));
  return {type: 'questions', id, questions: texts, tab: 0, at: questions.map(() => 0), chosen: questions.map(() => [])};
}

/** The turn is over: its ending is told, and the next of the queue begins. An agent may have left open what it began. */
function ended(state: ScreenState, {ending}: Extract<Action, {type: 'ended'}>): Change<ScreenState> {
  const wasCancelled = ending?.outcome === 'cancelled';
  const {work, ...rest} = settled(state);
  const told = withEnding(rest, ending);
  const wasLong = work !== undefined && state.now - work.startedAt > LONG_TURN;
  const notify: Effect = {type: 'notify', kind: 'turn_ended', text: ending?.lines[0] ?? 'The turn has ended.'};
  // What was typed ahead may be meant for what is chosen here.
  if (told.overlay?.type === 'picker' && !wasCancelled) return only(told);
  // What was typed ahead of a cancelled turn was meant for what it would have done: it goes back to the person.
  const begun = wasCancelled ? undefined : beginQueued(told);
  return begun ?? {state: offered(backToEditor(told), ending), effects: ending === undefined || !wasLong ? [] : [notify]};
}

function withEnding(state: ScreenState, ending: TurnEnding | undefined): ScreenState {
  const lines = ending?.lines.filter((line) => !isToldAlready(state, line)) ?? [];
  return ending === undefined || lines.length === 0 ? state : add(state, endingEntry({...ending, lines}));
}

/** So long a turn has to take, that its end is worth a ring. Milliseconds. */
const LONG_TURN = 10_000;

/** The end of a turn says again what its last event said. */
function isToldAlready({entries}: ScreenState, line: string): boolean {
  const last = entries.at(-1);
  return last?.kind === 'notice' && last.text === line;
}

/** A limit is no end: Enter goes on. */
function offered(state: ScreenState, ending: TurnEnding | undefined): ScreenState {
  if (ending?.outcome !== 'limit' || state.editor.text !== '') return state;
  return {...state, editor: edit(state.editor, {type: 'set', text: 'go on'})};
}

function endingEntry({outcome, lines}: TurnEnding): Entry {
  const text = lines.join('\n');
  return outcome === 'success' || outcome === 'cancelled'
    ? {kind: 'plain', text, isDim: true}
    : {kind: 'notice', level: outcome === 'limit' ? 'warning' : 'error', text};
}
