export {isFettleError, FettleError, type ErrorCode, type ErrorDetails} from '../base/errors.ts';
export type {RunReport, RunResult, Thread} from '../agent/thread.ts';
export type {Flags} from '../config/overrides.ts';
export type {Settings} from '../config/settings.ts';
export type {Decision, Mode, Policy, Rule, Verdict} from '../policy/decision.ts';
export type {ModelEvent, ModelFailure, ModelReply, ModelRequest, Provider} from '../models/provider.ts';
export type {ThreadEvent} from '../protocol/events.ts';
export type {ThreadItem} from '../protocol/items.ts';
export type {AssistantMessage, Message, ToolCallPart} from '../protocol/messages.ts';
export type {CellLook, CellRun, LiveCommand, LiveCommandEnd, LiveContent, ScreenCells} from '../protocol/live-command.ts';
export {EXPORT_FORMATS, type ExportFormat} from '../sessions/export/export-session.ts';
export type {FoundItem} from '../sessions/search-sessions.ts';
export type {SessionInfo} from '../sessions/session-list.ts';
export type {KeptCommand} from '../tools/shells/command-sessions.ts';
export type {ApprovalAnswer, ApprovalRequest, FilePreview, HunkPlace} from '../tools/dispatch/dispatch.ts';
export type {EditorHost} from '../tools/ports/editor-host.ts';
export type {Answers, AskUser, Question} from '../tools/ports/user-questions.ts';
export type {CheckpointInfo, RestoreReport, RestoreRequest} from './undo/checkpoints.ts';
export type {JudgedCall} from './tools/judge-call.ts';
export type {LiveCommands} from './live/live-commands.ts';
export type {ThreadPlugin} from './plugins/thread-plugin.ts';
export type {SettingsRequest} from './settings/load-settings.ts';
export type {SessionSettings} from './settings/session-settings.ts';
export type {SlashEntry, TypedCommands} from './tools/open-commands.ts';
export type {OpenedThread} from './thread/open-thread.ts';
export type {OpenThreadOptions, OpenThreadRequest, PlacedThreadOptions} from './thread/thread-options.ts';
export type {OpenedTools, ToolsOptions} from './tools/opened-tools.ts';
export type {ReplayReport} from './replay/replay-report.ts';
export {VERSION} from './version.ts';
export {
  type ContextPart,
  createSessionSchedule,
  type DueTask,
  exportSession,
  judgeCall,
  listCheckpoints,
  listSessions,
  loadSettings,
  openOptimizer,
  type DecisionContext,
  type Explanation,
  type FinishedRun,
  type MadeDecision,
  type OpenedOptimizer,
  type OptimizerRequest,
  type RewardSignal,
  type RunVerdict,
  openThread,
  openTools,
  replaySession,
  type ReplayRequest,
  restoreTo,
  searchSessions,
  type SessionSchedule,
  showCheckpoint,
  showContext,
  type ShownContext,
  withModel,
} from './checked-calls.ts';
