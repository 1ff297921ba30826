import {toFettleError} from '../../../base/errors.ts';
import {orAbort} from '../../../base/waiting/or-abort.ts';
import type {AgentSession, ApprovalReply, CommandResult, HostAdapter, SessionInfo, TurnEnding} from '../host-adapter.ts';
import type {Action, ScreenEffect} from '../model/action.ts';
import type {PlanReply} from '../plan/plan-question.ts';
import type {TrustReply} from '../trust/trust-question.ts';
import type {ThemeChoice} from '../themes/terminal-themes.ts';
import {createFileSearch} from './requests/file-search.ts';
import {createPictureRequests} from './requests/picture-requests.ts';

export interface PerformOptions {
  readonly host: HostAdapter;
  readonly dispatch: (action: Action) => void;
  /** Resolves when the result of an action can be drawn at its best. Must not reject. */
  readonly prepare: (action: Action) => Promise<void>;
  /** Ends the screen. */
  readonly leave: () => void;
  readonly suspend: () => void;
  readonly editText: (text: string) => Promise<string | undefined>;
  readonly remember: (text: string) => void;
  readonly useTheme: (theme: ThemeChoice) => void;
  readonly askStatus: (info: SessionInfo) => void;
}

/** Performs the effects of the model, with the current session. */
export interface Performer {
  perform(effect: ScreenEffect): void;
  /** Continues with this session. */
  use(session: AgentSession): Promise<void>;
  readonly session: () => AgentSession | undefined;
  readonly answers: PendingAnswers;
  /** Cancels running work. */
  close(): void;
}

/** Pending answers of a person, by the id of the dialog. */
export interface PendingAnswers {
  readonly approvals: Map<string, (reply: ApprovalReply) => void>;
  readonly questions: Map<string, (answers: readonly (readonly string[])[] | undefined) => void>;
  readonly trust: Map<string, (reply: TrustReply) => void>;
  readonly plans: Map<string, (reply: PlanReply | undefined) => void>;
}

export function createPerformer(options: PerformOptions): Performer {
  const {host, dispatch, leave, suspend, editText, remember, askStatus} = options;
  const stage: Stage = {options, session: undefined, running: undefined, looking: new AbortController(), opened: Promise.withResolvers()};
  const answers: PendingAnswers = {approvals: new Map(), questions: new Map(), trust: new Map(), plans: new Map()};
  const search = createFileSearch(() => stage.session, dispatch);
  const pictures = createPictureRequests({session: () => stage.session, dispatch, tell: (thrown) => tell(stage, thrown)});
  const perform: Performing<ScreenEffect['type']> = {
    submit: ({text, origin}) => run(stage, (session, signal) => session.submit(text, signal, origin)),
    takeDue: () => dispatch({type: 'dueTurn', turn: stage.session?.takeDue?.()}),
    command: (effect) =>
      effect.isBeside === true
        ? runBeside(stage, effect)
        : run(stage, (session, signal) => runCommand(stage, session, {...effect, signal})),
    keep: ({line}) => run(stage, (session, signal) => keepLine(stage, session, {line, signal})),
    theme: ({theme}) => options.useTheme(theme),
    shell: ({line}) => run(stage, (session, signal) => runShell(stage, session, {line, signal})),
    steer: ({text}) => stage.session?.steer(text),
    cancel: () => stage.running?.abort(),
    ...besideTheTurn(stage),
    ...answering(answers),
    leave,
    remember: ({text}) => remember(text),
    files: ({query}) => search.look(query),
    pictures: ({pasted, paths}) => pictures.paste(pasted, paths),
    clipboard: () => pictures.clipboard(),
    nextMode() {
      if (stage.session?.nextMode?.() !== undefined) dispatch({type: 'info', info: stage.session.info});
    },
    externalEditor: ({text}) =>
      void editText(text).then(
        (edited) => edited !== undefined && dispatch({type: 'text', text: edited}),
        (thrown: unknown) => tell(stage, thrown),
      ),
    suspend,
    askStatus: ({info}) => askStatus(info),
    notify: (notice) => host.notifications.notify(notice),
    redraw: () => undefined,
    pagerKey: () => undefined,
  };
  return {
    answers,
    session: () => stage.session,
    use: (next) => switchTo(stage, next).catch((thrown: unknown) => tell(stage, thrown)),
    perform(effect) {
      try {
        (perform[effect.type] as (effect: ScreenEffect) => void)(effect);
      } catch (thrown) {
        tell(stage, thrown);
      }
    },
    close() {
      stage.running?.abort();
      stage.looking.abort();
      search.close();
      pictures.close();
    },
  };
}

type Performing<Types extends ScreenEffect['type']> = {readonly [Type in Types]: (effect: Extract<ScreenEffect, {type: Type}>) => void};

/** Subagents, requests and commands that go on: a running turn is not asked. */
function besideTheTurn(stage: Stage): Performing<'agentLog' | 'cancelAgent' | 'retry' | 'typeInto' | 'endCommand'> {
  const {dispatch} = stage.options;
  const failed = (thrown: unknown): void => tell(stage, thrown);
  return {
    agentLog: ({id}) => dispatch({type: 'agentLog', id, log: stage.session?.subagents?.log(id)}),
    cancelAgent: ({id}) => void stage.session?.subagents?.cancel(id).catch(failed),
    retry({agentId}) {
      if ((stage.session?.retryRequest?.(agentId) ?? 0) === 0) dispatch({type: 'entry', entry: NOTHING_TO_RETRY});
    },
    typeInto: ({id, bytes}) => stage.session?.background?.type(id, bytes),
    endCommand: ({id}) => void stage.session?.background?.end(id).catch(failed),
  };
}

/** Passes the answers of the person to the part that asked. */
function answering({approvals, questions, trust, plans}: PendingAnswers): Performing<'answer' | 'answers' | 'trustReply' | 'planReply'> {
  return {
    answer: ({id, reply}) => approvals.get(id)?.(reply),
    answers: ({id, answers}) => questions.get(id)?.(answers),
    trustReply: ({id, reply}) => trust.get(id)?.(reply),
    planReply: ({id, reply}) => plans.get(id)?.(reply),
  };
}

const NOTHING_TO_RETRY = {kind: 'notice', level: 'info', text: 'No request to a model is open that could be sent again.'} as const;

interface Stage {
  readonly options: PerformOptions;
  session: AgentSession | undefined;
  running: AbortController | undefined;
  /** Ends commands that run beside a turn. */
  readonly looking: AbortController;
  /** Resolves when the session is open; earlier input waits for it. */
  readonly opened: PromiseWithResolvers<AgentSession>;
}

/** Only one thing runs at a time; its outcome is dispatched to the screen. */
function run(stage: Stage, work: (session: AgentSession, signal: AbortSignal) => Promise<TurnEnding | undefined>): void {
  const {session, options, opened} = stage;
  const controller = new AbortController();
  const {signal} = controller;
  stage.running = controller;
  const working = session === undefined ? orAbort(opened.promise, signal).then((one) => work(one, signal)) : work(session, signal);
  void working
    .catch((thrown: unknown) => (signal.aborted ? CANCELLED : failed(thrown)))
    .then((ending) => {
      if (stage.running === controller) stage.running = undefined;
      if (stage.session !== undefined) options.dispatch({type: 'info', info: stage.session.info});
      options.dispatch({type: 'ended', ending});
    });
}

const CANCELLED: TurnEnding = {outcome: 'cancelled', lines: ['Cancelled.']};

/** Runs a command that changes nothing: the turn goes on, and Ctrl-C cancels the turn. */
function runBeside(stage: Stage, {name, typed}: Omit<RunningCommand, 'signal'>): void {
  const {session, looking} = stage;
  session
    ?.command(name, typed, looking.signal)
    .then((result) => (result?.type === 'text' || result?.type === 'pick' ? take(stage, result, name) : undefined))
    .catch((thrown: unknown) => tell(stage, thrown));
}

interface RunningCommand {
  readonly name: string;
  readonly typed: string;
  readonly signal: AbortSignal;
}

async function runCommand(stage: Stage, session: AgentSession, {name, typed, signal}: RunningCommand): Promise<TurnEnding | undefined> {
  const result = await session.command(name, typed, signal);
  // Not a command of the session: a custom command, a skill, or text that begins with a slash.
  if (result === undefined) return await session.submit(`/${name}${typed === '' ? '' : ` ${typed}`}`, signal);
  if (result.type === 'task') return await session.submit(result.text, signal);
  await take(stage, result, name);
  return undefined;
}

async function take(stage: Stage, result: Exclude<CommandResult, {type: 'task'}>, name: string): Promise<void> {
  const {dispatch, leave} = stage.options;
  if (result.type === 'text') dispatch({type: 'entry', entry: {kind: 'plain', text: result.text, keeps: 'start'}});
  else if (result.type === 'diff') dispatch({type: 'diff', title: result.title, files: result.files});
  else if (result.type === 'pick') dispatch({...result, command: name});
  else if (result.type === 'switch') await switchTo(stage, result.session);
  else leave();
}

async function switchTo(stage: Stage, next: AgentSession): Promise<void> {
  const {dispatch, prepare, host} = stage.options;
  stage.session = next;
  dispatch({type: 'switched', folder: host.workspace.name, info: next.info});
  if (next.earlier.length > 0) {
    const replay: Action = {type: 'replay', events: next.earlier};
    await prepare(replay);
    dispatch(replay);
  }
  if (next.subagents !== undefined) dispatch({type: 'agents', agents: next.subagents.list()});
  for (const text of next.notes) dispatch({type: 'entry', entry: {kind: 'notice', level: 'info', text}});
  dispatch({type: 'commands', commands: await next.commands()});
  stage.opened.resolve(next);
}

async function runShell(
  {options}: Stage,
  session: AgentSession,
  {line, signal}: {readonly line: string; readonly signal: AbortSignal},
): Promise<undefined> {
  const {dispatch} = options;
  try {
    const {output, exitCode} = await session.shell(line, signal, (piece) => dispatch({type: 'shell', output: piece}));
    const end = exitCode === 0 ? '' : signal.aborted ? '(cancelled)' : exitCode === null ? '(ended by a signal)' : `(exit ${exitCode})`;
    dispatch({type: 'shell', output, end});
  } catch (thrown) {
    dispatch({type: 'shell', output: '', end: '(it did not run)'});
    throw thrown;
  }
}

/** Stores the line as a note. If the person declines, the line returns to the editor. */
async function keepLine(
  {options: {dispatch}}: Stage,
  session: AgentSession,
  {line, signal}: {readonly line: string; readonly signal: AbortSignal},
): Promise<TurnEnding | undefined> {
  const answer = await session.keep?.(line, signal);
  if (answer === undefined) dispatch({type: 'text', text: `#${line}`});
  else dispatch({type: 'entry', entry: {kind: 'plain', text: answer}});
  return undefined;
}

function tell({options}: Stage, thrown: unknown): void {
  const {message, hint} = toFettleError(thrown);
  options.dispatch({type: 'entry', entry: {kind: 'notice', level: 'error', text: [message, hint ?? ''].join(' ').trim()}});
}

function failed(thrown: unknown): TurnEnding {
  const {code, message, hint} = toFettleError(thrown);
  return {outcome: code === 'CANCELLED' ? 'cancelled' : 'failed', lines: [message, hint].filter((part) => part !== undefined)};
}
