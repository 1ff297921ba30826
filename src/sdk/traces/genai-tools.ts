import type {ThreadItem, ToolInvocationItem, ToolOutputItem} from '../../protocol/items.ts';
import {toolAttributes} from './genai-attributes.ts';
import type {TraceSpan} from './span.ts';

/** A span within the running turn. */
export type InnerSpan = Omit<TraceSpan, 'traceId' | 'spanId' | 'parentSpanId'>;

export interface ToolSpansOptions {
  readonly content: boolean;
  readonly now: () => number;
  readonly send: (span: InnerSpan) => void;
}

/** `execute_tool` spans: from the start of a call to its result. */
export interface ToolSpans {
  take(item: ThreadItem, finished: boolean): void;
  /** Ends the spans of calls without a result. */
  end(): void;
}

export function createToolSpans({content, now, send}: ToolSpansOptions): ToolSpans {
  const calls = new Map<string, OpenCall>();

  const end = ({item, startMs, endMs = now()}: OpenCall, output: ToolOutputItem | undefined): void => {
    calls.delete(item.id);
    const isError = item.outcome !== undefined && item.outcome !== 'success';
    const attributes = toolAttributes(item, content ? output : undefined);
    send({name: `execute_tool ${item.tool_name}`, kind: 'internal', startMs, endMs, attributes, isError});
  };

  return {
    take(item, finished) {
      if (item.type === 'tool_invocation') {
        const startMs = item.duration_ms === undefined ? (calls.get(item.id)?.startMs ?? now()) : now() - item.duration_ms;
        calls.set(item.id, {item, startMs, ...(finished ? {endMs: now()} : {})});
      } else if (item.type === 'tool_output') {
        const call = calls.get(item.call_id);
        if (call !== undefined) end(call, item);
      }
    },
    end() {
      for (const call of calls.values()) end(call, undefined);
    },
  };
}

interface OpenCall {
  readonly item: ToolInvocationItem;
  readonly startMs: number;
  readonly endMs?: number;
}
