export {startModelServer, type ModelServer} from './model-server.ts';
export type {
  ModelScript,
  ReceivedRequest,
  ScriptedAnswer,
  ScriptedGarbage,
  ScriptedReply,
  ScriptedStatus,
  ScriptedStep,
  ScriptedToolCall,
} from './scenario.ts';
