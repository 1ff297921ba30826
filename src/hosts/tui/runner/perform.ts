import {toFettleError} from '../../../base/errors.ts';
import type {AgentSession, ApprovalReply, CommandResult, HostAdapter, TurnEnding} from '../host-adapter.ts';
import type {Action, Effect} from '../model/action.ts';

/** Files are looked for when nothing was typed for as long. Milliseconds. */
const DEBOUNCE = 40;

export interface PerformOptions {
  readonly host: HostAdapter;
  readonly dispatch: (action: Action) => void;
  /** Ends the screen. */
  readonly leave: () => void;
  readonly suspend: () => void;
  readonly editText: (text: string) => Promise<string | undefined>;
  readonly remember: (text: string) => void;
}

/** Carries out what the model of the screen asks for, with the session of the moment. */
export interface Performer {
  perform(effect: Effect): void;
  /** The session that goes on from here. */
  use(session: AgentSession): Promise<void>;
  readonly session: () => AgentSession | undefined;
  readonly answers: PendingAnswers;
  /** Cancels what runs. */
  close(): void;
}

/** Who waits for what a person says, by the id of the dialog. */
export interface PendingAnswers {
  readonly approvals: Map<string, (reply: ApprovalReply) => void>;
  readonly questions: Map<string, (answers: readonly (readonly string[])[] | undefined) => void>;
}

export function createPerformer(options: PerformOptions): Performer {
  const {host, dispatch, leave, suspend, editText, remember} = options;
  const answers: PendingAnswers = {approvals: new Map(), questions: new Map()};
  let session: AgentSession | undefined;
  let running: AbortController | undefined;
  let looking: AbortController | undefined;

  const run = (work: (current: AgentSession, signal: AbortSignal) => Promise<TurnEnding | undefined>): void => {
    const current = session;
    if (current === undefined) return;
    const controller = new AbortController();
    running = controller;
    void work(current, controller.signal)
      .catch(failed)
      .then((ending) => {
        if (running === controller) running = undefined;
        dispatch({type: 'info', info: (session ?? current).info});
        dispatch({type: 'ended', ending});
      });
  };
  const take = async (result: CommandResult, name: string): Promise<void> => {
    if (result.type === 'text') dispatch({type: 'entry', entry: {kind: 'plain', text: result.text}});
    else if (result.type === 'pick') dispatch({type: 'pick', title: result.title, command: name, items: result.items});
    else if (result.type === 'switch') await switchTo(result.session);
    else if (result.type === 'end') leave();
  };
  const switchTo = async (next: AgentSession): Promise<void> => {
    session = next;
    dispatch({type: 'switched', folder: host.workspace.name, info: next.info});
    if (next.earlier.length > 0) dispatch({type: 'replay', events: next.earlier});
    for (const text of next.notes) dispatch({type: 'entry', entry: {kind: 'notice', level: 'info', text}});
    dispatch({type: 'commands', commands: await next.commands()});
  };
  const command = async (
    current: AgentSession,
    {name, typed}: Extract<Effect, {type: 'command'}>,
    signal: AbortSignal,
  ): Promise<TurnEnding | undefined> => {
    const result = await current.command(name, typed, signal);
    if (result === undefined) return await current.submit(`/${name}${typed === '' ? '' : ` ${typed}`}`, signal);
    if (result.type === 'task') return await current.submit(result.text, signal);
    await take(result, name);
    return undefined;
  };
  const look = (query: string): void => {
    looking?.abort();
    const controller = new AbortController();
    looking = controller;
    const timer = setTimeout(() => {
      session?.files(query, controller.signal).then(
        (items) => !controller.signal.aborted && dispatch({type: 'suggested', query, items}),
        () => undefined,
      );
    }, DEBOUNCE);
    controller.signal.addEventListener('abort', () => clearTimeout(timer), {once: true});
  };

  const perform = (effect: Effect): void => {
    switch (effect.type) {
      case 'submit':
        return run((current, signal) => current.submit(effect.text, signal));
      case 'command':
        return run((current, signal) => command(current, effect, signal));
      case 'shell':
        return run(async (current, signal) => {
          const {output, exitCode} = await current.shell(effect.line, signal);
          const code = exitCode === 0 ? '' : `\n(exit ${exitCode ?? 'unknown'})`;
          dispatch({type: 'entry', entry: {kind: 'plain', text: `${output.trimEnd()}${code}`.trim() || '(no output)'}});
          return undefined;
        });
      case 'steer':
        return attempt(() => session?.steer(effect.text));
      case 'cancel':
        return running?.abort();
      case 'leave':
        return leave();
      case 'remember':
        return remember(effect.text);
      case 'files':
        return look(effect.query);
      case 'nextMode': {
        const mode = session?.nextMode?.();
        if (mode !== undefined && session !== undefined) dispatch({type: 'info', info: session.info});
        return;
      }
      case 'answer':
        return answers.approvals.get(effect.id)?.(effect.reply);
      case 'answers':
        return answers.questions.get(effect.id)?.(effect.answers);
      case 'externalEditor':
        return void editText(effect.text).then((text) => text !== undefined && dispatch({type: 'text', text}), tell);
      case 'suspend':
        return suspend();
      case 'notify':
        return host.notifications.notify({kind: effect.kind, text: effect.text});
      case 'redraw':
        return;
    }
  };
  const tell = (thrown: unknown): void => {
    const {message, hint} = toFettleError(thrown);
    dispatch({type: 'entry', entry: {kind: 'notice', level: 'error', text: [message, hint ?? ''].join(' ').trim()}});
  };
  const attempt = (action: () => void): void => {
    try {
      action();
    } catch (thrown) {
      tell(thrown);
    }
  };
  return {
    perform,
    answers,
    session: () => session,
    use: (next) => switchTo(next).catch(tell),
    close() {
      running?.abort();
      looking?.abort();
    },
  };
}

function failed(thrown: unknown): TurnEnding {
  const {message, hint} = toFettleError(thrown);
  return {outcome: 'failed', lines: [message, hint].filter((part) => part !== undefined)};
}
