export {FettleError} from '../base/errors.ts';
export type {ToolContext} from './context.ts';
export {
  defineCustomTool,
  type CacheKeyContext,
  type CustomSubject,
  type CustomTool,
  type CustomToolContext,
  type CustomToolDefinition,
  type Progress,
} from './custom/define-custom-tool.ts';
export {defineMiddleware, type Middleware, type MiddlewareContext} from './custom/define-middleware.ts';
export {z} from './custom/schemas.ts';
export type {
  ApprovalAnswer,
  ApprovalRequest,
  Dispatcher,
  DispatcherOptions,
  DispatchListener,
  DispatchResult,
  FilePreview,
  FinishedResult,
  HookCall,
  HookedCall,
  HunkPlace,
  PostToolAnswer,
  PreToolAnswer,
  ToolCall,
} from './dispatch/dispatch.ts';
export {createDispatcher} from './dispatch/dispatcher.ts';
export type {AgentProfile, AgentRunner} from './ports/agent-runner.ts';
export type {EditorHost, EditorPosition, EditorState} from './ports/editor-host.ts';
export {createFileMemory, type FileMemory} from './file-memory.ts';
export {createMemoryEditor, type MemoryEditor} from './ports/memory-editor.ts';
export {plainOperation, type Operation, type PlainOperation, type ResolvedOperation} from './operation.ts';
export type {ToolStreamEvent} from './stream-event.ts';
export {toolSchemas} from './arguments/schema.ts';
export {createTodoList, type Todo, type TodoList} from './ports/todo-list.ts';
export {
  defineTool,
  type FileChange,
  type OutputBound,
  type Tool,
  type ToolDefinition,
  type PreparedCall,
  type ResolvedCall,
  type ToolReply,
  type Toolset,
} from './toolset.ts';
export {loadToolsetByName} from './toolsets/load-toolset.ts';
export type {Answer, Answers, AskUser, Choice, Question} from './ports/user-questions.ts';
