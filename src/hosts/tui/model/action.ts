import type {ThreadEvent} from '../../../protocol/events.ts';
import type {ApprovalQuestion, ApprovalReply, PickerItem, SessionCommand, SessionInfo, TurnEnding, UserQuestion} from '../host-adapter.ts';
import type {ScreenSize} from '../runner/surface.ts';
import type {ThemeChoice} from '../themes/terminal-themes.ts';
import type {PlanQuestion, PlanReply} from '../plan/plan-question.ts';
import type {TrustQuestion, TrustReply} from '../trust/trust-question.ts';
import type {Entry} from './entry.ts';
import type {KeyInput} from './key.ts';
import type {Printed} from './screen-state.ts';

/** Everything that can happen to the screen. */
export type Action =
  | {readonly type: 'key'; readonly key: KeyInput}
  | {readonly type: 'event'; readonly event: ThreadEvent}
  /** Events of earlier turns, all at once. */
  | {readonly type: 'replay'; readonly events: readonly ThreadEvent[]}
  | {readonly type: 'resize'; readonly size: ScreenSize}
  | {readonly type: 'tick'}
  /** What the surface has put into the scrollback; dialogs that it showed. */
  | {readonly type: 'drawn'; readonly printed: Printed}
  | {readonly type: 'info'; readonly info: SessionInfo}
  /** What the person's own command says; undefined: nothing. */
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
  /** Nobody waits for the answer any more. */
  | {readonly type: 'withdrawn'; readonly id: string}
  | {readonly type: 'suggested'; readonly query: string; readonly items: readonly PickerItem[]}
  | {readonly type: 'pick'; readonly title: string; readonly command: string; readonly items: readonly PickerItem[]}
  /** A task that was given on the command line. */
  | {readonly type: 'submit'; readonly text: string}
  /** Text from an external editor, or a task that was not begun. */
  | {readonly type: 'text'; readonly text: string}
  /** Another conversation goes on in the screen. */
  | {readonly type: 'switched'; readonly folder: string; readonly info: SessionInfo};

/** What the runner has to do after a change. */
export type Effect =
  | {readonly type: 'submit'; readonly text: string}
  | {readonly type: 'steer'; readonly text: string}
  | {readonly type: 'shell'; readonly line: string}
  | {readonly type: 'command'; readonly name: string; readonly typed: string}
  | {readonly type: 'cancel'}
  | {readonly type: 'leave'}
  | {readonly type: 'remember'; readonly text: string}
  | {readonly type: 'files'; readonly query: string}
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
  | {readonly type: 'redraw'}
  | {readonly type: 'notify'; readonly kind: 'question' | 'turn_ended'; readonly text: string};

/** The state after an action, and what it asks for, in order. */
export interface Change<State> {
  readonly state: State;
  readonly effects: readonly Effect[];
}
