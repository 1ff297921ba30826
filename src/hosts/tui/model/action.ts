import type {AgentStatusChanged, ThreadEvent} from '../../../protocol/events.ts';
import type {LiveCommand, LiveContent} from '../../../protocol/live-command.ts';
import type {
  ApprovalQuestion,
  ApprovalReply,
  DueTurn,
  FileDiff,
  PickerItem,
  SessionCommand,
  SessionInfo,
  SubagentLog,
  TurnEnding,
  UserQuestion,
} from '../host-adapter.ts';
import type {ScreenSize} from '../surface/surface.ts';
import type {ThemeChoice} from '../themes/terminal-themes.ts';
import type {PlanQuestion, PlanReply} from '../plan/plan-question.ts';
import type {TrustQuestion, TrustReply} from '../trust/trust-question.ts';
import type {Entry} from './entry.ts';
import type {KeyInput} from '../keys/key.ts';
import type {Printed} from './printed.ts';

/** Everything that can happen to the screen. */
export type Action =
  | {readonly type: 'key'; readonly key: KeyInput}
  | {readonly type: 'event'; readonly event: ThreadEvent}
  /** Events of earlier turns, all at once. */
  | {readonly type: 'replay'; readonly events: readonly ThreadEvent[]}
  /** Every subagent of the conversation, with its current state. */
  | {readonly type: 'agents'; readonly agents: readonly AgentStatusChanged[]}
  /** The log of a subagent; undefined: there is none. */
  | {readonly type: 'agentLog'; readonly id: string; readonly log: SubagentLog | undefined}
  | {readonly type: 'resize'; readonly size: ScreenSize}
  | {readonly type: 'tick'}
  /** Rows that the surface has put into the scrollback; dialogs that it showed. */
  | {readonly type: 'drawn'; readonly printed: Printed}
  | {readonly type: 'info'; readonly info: SessionInfo}
  /** The text of the person's status command; undefined: none. */
  | {readonly type: 'status'; readonly text: string | undefined}
  | {readonly type: 'commands'; readonly commands: readonly SessionCommand[]}
  | {readonly type: 'entry'; readonly entry: Entry}
  /** What a line of the shell writes; `end` with how it ended. */
  | {readonly type: 'shell'; readonly output: string; readonly end?: string | undefined}
  | {readonly type: 'ended'; readonly ending?: TurnEnding | undefined}
  | {readonly type: 'approval'; readonly question: ApprovalQuestion}
  | {readonly type: 'questions'; readonly id: string; readonly questions: readonly UserQuestion[]}
  | {readonly type: 'trust'; readonly id: string; readonly question: TrustQuestion}
  | {readonly type: 'plan'; readonly id: string; readonly question: PlanQuestion}
  /** Nothing waits for the answer any longer. */
  | {readonly type: 'withdrawn'; readonly id: string}
  | {readonly type: 'suggested'; readonly query: string; readonly items: readonly PickerItem[]}
  | {readonly type: 'diff'; readonly title: string; readonly files: readonly FileDiff[]}
  | {
      readonly type: 'pick';
      readonly title: string;
      readonly command: string;
      readonly items: readonly PickerItem[];
      readonly current?: string | undefined;
    }
  /** The commands that go on after their call. */
  | {readonly type: 'background'; readonly commands: readonly LiveCommand[]}
  /** The newest content of one of them. */
  | {readonly type: 'live'; readonly id: string; readonly content: LiveContent}
  /** Paths of saved pictures: `pasted` is the pasted text, absent for the clipboard. */
  | {readonly type: 'pictured'; readonly pasted?: string | undefined; readonly references: readonly string[]}
  /** A task of the session is due. */
  | {readonly type: 'due'}
  /** The due task, which begins now; undefined: there is none. */
  | {readonly type: 'dueTurn'; readonly turn: DueTurn | undefined}
  /** A task from the command line. */
  | {readonly type: 'submit'; readonly text: string}
  /** Text from an external editor, or a task that was not begun. */
  | {readonly type: 'text'; readonly text: string}
  /** Another conversation continues on the screen. */
  | {readonly type: 'switched'; readonly folder: string; readonly info: SessionInfo};

/** An effect that the runner carries out after a change. */
export type ScreenEffect =
  | {readonly type: 'submit'; readonly text: string; readonly origin?: 'scheduled' | undefined}
  /** The session is asked for the task that is due. */
  | {readonly type: 'takeDue'}
  | {readonly type: 'steer'; readonly text: string}
  | {readonly type: 'shell'; readonly line: string}
  /** `isBeside`: the running turn goes on meanwhile. */
  | {readonly type: 'command'; readonly name: string; readonly typed: string; readonly isBeside?: boolean | undefined}
  | {readonly type: 'cancel'}
  | {readonly type: 'agentLog'; readonly id: string}
  | {readonly type: 'cancelAgent'; readonly id: string}
  /** Requests that are open are sent again: all of them, or those of one subagent. */
  | {readonly type: 'retry'; readonly agentId?: string | undefined}
  | {readonly type: 'leave'}
  | {readonly type: 'remember'; readonly text: string}
  | {readonly type: 'files'; readonly query: string}
  /** Paths of pictures were pasted as this text. */
  | {readonly type: 'pictures'; readonly pasted: string; readonly paths: readonly string[]}
  /** The picture in the clipboard is asked for. */
  | {readonly type: 'clipboard'}
  | {readonly type: 'nextMode'}
  | {readonly type: 'answer'; readonly id: string; readonly reply: ApprovalReply}
  | {readonly type: 'answers'; readonly id: string; readonly answers: readonly (readonly string[])[] | undefined}
  | {readonly type: 'trustReply'; readonly id: string; readonly reply: TrustReply}
  | {readonly type: 'planReply'; readonly id: string; readonly reply: PlanReply | undefined}
  | {readonly type: 'externalEditor'; readonly text: string}
  | {readonly type: 'suspend'}
  | {readonly type: 'theme'; readonly theme: ThemeChoice}
  /** A line for the instructions that every session reads. */
  | {readonly type: 'keep'; readonly line: string}
  /** The person's own command for the status line is to be asked again. */
  | {readonly type: 'askStatus'; readonly info: SessionInfo}
  /** Keys of the person for a background command. */
  | {readonly type: 'typeInto'; readonly id: string; readonly bytes: string}
  | {readonly type: 'endCommand'; readonly id: string}
  | {readonly type: 'redraw'}
  /** For views that have the whole screen, and need to know its rows. */
  | {readonly type: 'pagerKey'; readonly key: KeyInput}
  | {readonly type: 'notify'; readonly kind: 'question' | 'turn_ended'; readonly text: string};

/** The state after an action, and its effects, in order. */
export interface StateChange<State> {
  readonly state: State;
  readonly effects: readonly ScreenEffect[];
}
