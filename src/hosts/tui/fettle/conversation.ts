import type {RunResult} from '../../../agent/thread.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import {createSessionSchedule, type ScheduleClock, type SessionSchedule} from '../../../schedule/session/session-schedule.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import {type OpenedThread, openThread} from '../../../sdk/thread/open-thread.ts';
import {storeRule} from '../../../sdk/settings/store-rule.ts';
import type {OpenThreadOptions} from '../../../sdk/thread/thread-options.ts';
import type {SessionTask} from '../../../tools/ports/session-tasks.ts';
import type {KeptCommand} from '../../../tools/shells/command-sessions.ts';
import type {ScreenPort} from '../host-adapter.ts';
import {createApprover} from './approve.ts';
import {askOnScreen} from './ask-on-screen.ts';
import {createSessionFacts, type SessionFacts} from './session-facts.ts';

/** One conversation on the screen: a thread, which is reopened for another model. */
export interface Conversation {
  readonly thread: OpenedThread;
  readonly settings: SessionSettings;
  readonly facts: SessionFacts;
  readonly earlier: readonly ThreadEvent[];
  /** The tasks that this conversation runs by itself; they go on with another model. */
  readonly schedule: SessionSchedule;
  run(text: string, signal: AbortSignal): Promise<RunResult>;
  /**
   * Goes on with other settings, in the same mode and with the rules of this session. Throws the errors of
   * `openThread` before anything is closed.
   */
  reopen(settings: SessionSettings, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<Ended>;
}

export interface Ended {
  readonly kept: readonly KeptCommand[];
  readonly late: readonly string[];
  /** Scheduled tasks that ended with the conversation. */
  readonly tasks: readonly SessionTask[];
}

export interface ConversationOptions {
  /** With a model, and with the trust of the project settled. */
  readonly settings: SessionSettings;
  /** A session to go on with. */
  readonly resume?: OpenThreadOptions['resume'];
  readonly reservedCommands: readonly string[];
  readonly port: ScreenPort;
  /** The clock of scheduled tasks; absent: that of the system. */
  readonly clock?: ScheduleClock | undefined;
}

/** Events for the first paint: more has long left the scrollback of most terminals. */
const MOST_EARLIER = 4000;

export async function openConversation(options: ConversationOptions, signal: AbortSignal): Promise<Conversation> {
  const facts = createSessionFacts();
  const granted: string[] = [];
  const schedule = createSessionSchedule({onDue: () => options.port.due(), clock: options.clock});
  let {settings} = options;
  const grant = (rule: string): void => {
    granted.push(rule);
    thread.grant(rule);
  };
  let thread = await openIn(options, {settings, facts, grant, schedule}, signal);
  let unfollow = follow(thread, options.port);
  const {events: earlier, isCut} = thread.earlierEvents(MOST_EARLIER);
  for (const event of earlier) facts.observe(event);
  if (isCut) options.port.note(`Only the newest part is shown; all of it: fettle sessions show ${thread.id}`);
  let last: RunResult | undefined;
  const closeThread = async (): Promise<Omit<Ended, 'tasks'>> => {
    unfollow();
    const kept = await thread.close(last);
    return {kept, late: thread.lateNotes()};
  };
  return {
    get thread() {
      return thread;
    },
    get settings() {
      return settings;
    },
    facts,
    earlier,
    schedule,
    async run(text, stop) {
      last = await thread.run(text, stop);
      return last;
    },
    async reopen(next, stop) {
      const mode = thread.mode();
      const {kept, late} = await closeThread();
      settings = next;
      const resume = facts.isUsed ? {id: thread.id} : undefined;
      thread = await openIn({...options, resume}, {settings, facts, grant, schedule}, stop);
      unfollow = follow(thread, options.port);
      thread.setMode(mode);
      for (const rule of granted) thread.grant(rule);
      return [...kept.map(({command}) => `Kept running: ${command}`), ...late, ...thread.notes];
    },
    async close() {
      const tasks = schedule.close();
      return {...(await closeThread()), tasks};
    },
  };
}

/** The screen knows the commands of the thread from here on; those of one before are gone. */
function follow({live}: OpenedThread, port: ScreenPort): () => void {
  port.background(live.list());
  return live.onChange((commands) => port.background(commands));
}

interface Opening {
  readonly settings: SessionSettings;
  readonly facts: SessionFacts;
  readonly grant: (rule: string) => void;
  readonly schedule: SessionSchedule;
}

async function openIn(
  {port, resume, reservedCommands}: ConversationOptions,
  {settings, facts, grant, schedule}: Opening,
  signal: AbortSignal,
): Promise<OpenedThread> {
  return await openThread(
    {
      session: settings,
      resume,
      reservedCommands,
      schedule,
      onEvent(event) {
        facts.observe(event);
        port.onEvent(event);
      },
      onWait: (line) => port.note(line),
      askUser: askOnScreen(port),
      approve: createApprover({
        port,
        grant,
        remember: async (text) => {
          for (const warning of await storeRule(settings, {text, effect: 'allow', everywhere: false})) port.note(warning);
        },
      }),
    },
    signal,
  );
}
