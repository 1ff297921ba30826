/**
 * `fettle/tui`: the screen for agents of any kind (vtcode architecture › TUI Architecture). An agent says what happened as thread events and
 * answers what the screen asks of an `AgentSession`; nothing of Fettle's own agent is loaded.
 */
export {runScreen, type ScreenEnd, type ScreenOptions} from './run-screen.ts';
export type {
  AgentSession,
  ApprovalQuestion,
  ApprovalReply,
  BackgroundCommands,
  CommandResult,
  DueTurn,
  FileDiff,
  HostAdapter,
  KeyboardProtocolSettings,
  PickerItem,
  ScreenPort,
  SubagentAccess,
  SubagentLog,
  SessionCommand,
  SessionInfo,
  SurfacePreference,
  ThemePreference,
  TurnEnding,
  UserQuestion,
} from './host-adapter.ts';
export type {PlanChoice, PlanComment, PlanQuestion, PlanReply} from './plan/plan-question.ts';
export type {TrustItem, TrustQuestion, TrustReply} from './trust/trust-question.ts';
export type {ThreadEvent} from '../../protocol/events.ts';
export type {ThreadItem} from '../../protocol/items.ts';
export type {CellLook, CellRun, LiveCommand, LiveContent, ScreenCells} from '../../protocol/live-command.ts';
