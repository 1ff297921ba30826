export type {ToolContext} from './context.ts';
export type {
  ApprovalAnswer,
  ApprovalRequest,
  Dispatcher,
  DispatcherOptions,
  DispatchListener,
  DispatchResult,
  ToolCall,
} from './dispatch.ts';
export {createDispatcher} from './dispatcher.ts';
export {createFileMemory, type FileMemory} from './file-memory.ts';
export type {Operation, ToolStreamEvent} from './operation.ts';
export {toolSchemas} from './schema.ts';
export {defineTool, type FileChange, type OutputBound, type Tool, type ToolDefinition, type ToolReply, type Toolset} from './toolset.ts';
export {toolsetNamed} from './toolsets/toolset-named.ts';
