export {
  CompactBoundary,
  ErrorEvent,
  Interjected,
  ItemCompleted,
  ItemStarted,
  ItemUpdated,
  OutcomeCode,
  PermissionRequested,
  PermissionResolved,
  PlanDelta,
  ThreadCompleted,
  ThreadEvent,
  ThreadStarted,
  TurnCompleted,
  TurnFailed,
  TurnStarted,
} from './events.ts';
export {RequestCompleted} from './request-events.ts';
export {EXIT, exitCodeOfError, exitCodeOfOutcome, type ExitCode} from './exit-code.ts';
export {ThreadItem, ToolOutcome} from './items.ts';
export type {AssistantMessage, AssistantPart, Message, StopReason, ToolMessage, ToolSchema, UserMessage, WireFormat} from './messages.ts';
export {parseEvent, type ParsedEvent, type UnknownEvent} from './parse-event.ts';
export {SCHEMA_VERSION} from './schema-version.ts';
export {isReadOnly, type SideEffect} from './side-effect.ts';
export {addUsage, NO_USAGE, Usage} from './usage.ts';
