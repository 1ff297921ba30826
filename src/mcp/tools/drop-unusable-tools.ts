import {isSpecType, type Transport} from '@modelcontextprotocol/client';
import {schemaError} from '../../base/json-schema/compile-schema.ts';
import {isDeeperThan, isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {hasHidden} from '../clean-text.ts';

/** A tool that a server lists but nobody can call, and the reason. */
export interface UnusableTool {
  /** As it comes; `without a name`. */
  readonly name: string;
  readonly why: string;
  /** False: the server is right to list it, and Fettle cannot call it. */
  readonly isFault: boolean;
}

/**
 * Removes unusable tools from the list of a server: the client would otherwise refuse the whole list because of one of them, and with it all
 * usable tools. Returns the removed ones; the list grows while the server answers. A message that `accepts` refuses is dropped.
 */
export function dropUnusableTools(transport: Transport, accepts: (message: unknown) => boolean = () => true): readonly UnusableTool[] {
  const leftOut: UnusableTool[] = [];
  let take: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => take,
    set(handler: Transport['onmessage']) {
      take =
        handler === undefined
          ? undefined
          : (message, extra) => {
              if (accepts(message)) handler(usable(message, leftOut), extra);
            };
    },
  });
  return leftOut;
}

/** Only answers to `tools/list` have tools in their result. */
function usable<T>(message: T, leftOut: UnusableTool[]): T {
  if (!isJsonObject(message) || !isJsonObject(message['result']) || !Array.isArray(message['result']['tools'])) return message;
  const {result} = message;
  // Results of the protocol of 2026-07-28 declare their type; before it, structured results were objects.
  const isLegacy = result['resultType'] === undefined;
  const tools = message['result']['tools'].filter((tool: Json) => {
    const why = problemOf(tool, isLegacy);
    if (why !== undefined) leftOut.push({name: nameOf(tool), why, isFault: why !== NEEDS_TASK});
    return why === undefined;
  });
  return {...message, result: {...result, tools}};
}

const NEEDS_TASK = 'it can only be called as a task';

/** A schema within another is two levels deeper. */
const MAX_NESTING = 64;

function problemOf(tool: Json, isLegacy: boolean): string | undefined {
  if (!isJsonObject(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') return 'it has no name';
  if (hasHidden(tool['name'])) return 'characters of its name cannot be seen';
  if (isDeeperThan(tool, MAX_NESTING)) return 'its schemas are nested too deep';
  const {inputSchema, outputSchema} = tool;
  if (!isJsonObject(inputSchema) || inputSchema['type'] !== 'object') return 'its arguments have no schema of an object';
  if (outputSchema !== undefined && !isOutputSchema(outputSchema, isLegacy)) return 'its outputSchema is not valid';
  if (needsTask(tool)) return NEEDS_TASK;
  return isSpecType.Tool(tool) ? undefined : 'it is not described as the protocol says';
}

function isOutputSchema(schema: Json, isLegacy: boolean): boolean {
  return isJsonObject(schema) && (!isLegacy || schema['type'] === 'object') && schemaError(schema) === undefined;
}

/** MCP 2025-11-25 › tasks › tool-level negotiation: without tasks such a call is refused. */
function needsTask({execution}: JsonObject): boolean {
  return isJsonObject(execution) && execution['taskSupport'] === 'required';
}

function nameOf(tool: Json): string {
  return isJsonObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : 'without a name';
}
