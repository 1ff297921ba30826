import type {ThreadEvent} from '../../protocol/events.ts';
import type {ToolResultPart, ToolSchema} from '../../protocol/messages.ts';
import type {ToolOutputItem} from '../../protocol/items.ts';
import type {SubagentTools} from '../delegation/child-thread.ts';
import type {AnnouncedCall} from '../replies/received-reply.ts';
import {createToolCalls} from '../tool-calls.ts';

/** The bounded tools of a role: calls beyond the limit get an answer but do not run. */
export interface RoleTools {
  readonly schemas: readonly ToolSchema[];
  /** Runs the calls of one reply; the results are in their order. */
  run(calls: readonly AnnouncedCall[], signal: AbortSignal): Promise<readonly ToolResultPart[]>;
  /** False if the role went on reading after it was told to stop. */
  goesOn(): boolean;
}

interface RoleToolsOptions {
  readonly tools: SubagentTools;
  /** Receives the calls and their results, as events of the role's own turn. */
  readonly emit: (event: ThreadEvent) => void;
  readonly turnId: string;
}

/** Limit of a planner's requests: it only needs the files that a task is about. */
const MOST = {replies: 12, calls: 40, characters: 60_000};

export function openRoleTools({tools, emit, turnId}: RoleToolsOptions): RoleTools {
  const outputs = new Map<string, ToolOutputItem>();
  const used = {replies: 0, calls: 0, characters: 0};
  let isOver = false;
  let refusals = 0;
  const {run} = createToolCalls({
    createDispatcher: ({listener}) => tools.createDispatcher(listener),
    emit(event) {
      if (event.type === 'item.completed' && event.item.type === 'tool_output') outputs.set(event.item.call_id, event.item);
      emit(event);
    },
  });
  return {
    schemas: tools.schemas,
    goesOn: () => refusals <= 1,
    async run(calls, signal) {
      if (isOver) {
        refusals += 1;
        return calls.map((call) => resultOf(call, undefined));
      }
      const allowed = calls.slice(0, MOST.calls - used.calls);
      const {loop} = await run(allowed, turnId, signal);
      const results = calls.map((call) => resultOf(call, outputs.get(call.itemId)));
      used.replies += 1;
      used.calls += allowed.length;
      used.characters += results.reduce((sum, {text}) => sum + text.length, 0);
      isOver = loop !== undefined || used.replies >= MOST.replies || used.calls >= MOST.calls || used.characters >= MOST.characters;
      return results;
    },
  };
}

function resultOf({call: {id, name}}: AnnouncedCall, output: ToolOutputItem | undefined): ToolResultPart {
  return {callId: id, name, text: output?.output ?? ENOUGH, isError: output?.is_error ?? true};
}

const ENOUGH = 'Not run: you have read enough. Answer now, with the one JSON object and nothing else.';
