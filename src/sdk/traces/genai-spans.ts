import type {ThreadEvent, TurnCompleted, TurnFailed} from '../../protocol/events.ts';
import type {RequestCompleted} from '../../protocol/request-events.ts';
import type {ThreadItem} from '../../protocol/items.ts';
import {createHistory} from '../../sessions/history.ts';
import {createAgentSpans, type AgentSpans} from './genai-agents.ts';
import {agentAttributes, chatAttributes, contentOf, endAttributes, modelOf} from './genai-attributes.ts';
import {createToolSpans, type InnerSpan} from './genai-tools.ts';
import type {TraceSpan, SpanContext} from './span.ts';

export interface GenAiSpansOptions {
  /** True: spans include messages, arguments and results. */
  readonly content: boolean;
  readonly onSpan: (span: TraceSpan) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** So many random bytes, hexadecimal. */
  readonly newId: (bytes: number) => string;
  readonly parent: SpanContext | undefined;
  /** The agent that works: `fettle`, the profile of a subagent, or a role. */
  readonly agent: string;
  /** The agent's thread, if its own events will not name it. */
  readonly threadId?: string | undefined;
}

export interface GenAiSpans {
  observe(event: ThreadEvent): void;
}

/**
 * Turns the events of a thread into spans of the GenAI semantic conventions of OpenTelemetry: `invoke_agent` for
 * each turn, in it `chat` for each request and `execute_tool` for each call; the turns of subagents, planner and
 * evaluator are children of the turn that started them. Without `content`, spans have no text of a person, a
 * model or a tool, no arguments and no paths.
 */
export function createGenAiSpans(options: GenAiSpansOptions): GenAiSpans {
  const {content, newId, now, agent} = options;
  const history = content ? createHistory() : undefined;
  let thread = {id: options.threadId ?? '', model: ''};
  let turn: OpenTurn | undefined;

  const send = (span: InnerSpan): void => {
    if (turn === undefined) return;
    const {traceId, spanId: parentSpanId} = turn.context;
    options.onSpan({...span, traceId, parentSpanId, spanId: newId(8)});
  };
  const tools = createToolSpans({content, now, send});
  const begin = (): void => {
    turn = {context: {traceId: options.parent?.traceId ?? newId(16), spanId: newId(8)}, startMs: now()};
  };
  const end = (event: TurnCompleted | TurnFailed): void => {
    tools.end();
    if (turn === undefined) return;
    const attributes = {...agentAttributes(agent, thread), ...endAttributes(event, content)};
    const {context, startMs} = turn;
    const place = {...context, parentSpanId: options.parent?.spanId};
    const isError = event.type === 'turn.failed';
    options.onSpan({...place, name: `invoke_agent ${agent}`, kind: 'internal', startMs, endMs: now(), attributes, isError});
    turn = undefined;
  };
  const agents = createAgentSpans(({name, threadId}) => {
    // The requests and answers of planner and evaluator are in their own logs alone.
    const isReported = threadId === '';
    return createGenAiSpans({...options, content: content && isReported, agent: name, threadId, parent: turn?.context ?? options.parent});
  });
  const takeRequest = (event: RequestCompleted): void => {
    if (agents.takeRequest(event)) return;
    if (thread.model === '') thread = {...thread, model: event.model};
    const isOwn = event.agent === undefined;
    const attributes = {...chatAttributes(event, thread.id), ...(history === undefined || !isOwn ? {} : contentOf(history, event))};
    const {model} = modelOf(event.model);
    send({name: `chat ${model}`, kind: 'client', startMs: now() - event.duration_ms, endMs: now(), attributes, isError: false});
  };
  return {
    observe(event) {
      if (event.type === 'item.updated') return;
      if (event.type === 'thread.started') thread = {id: event.thread_id, model: event.model};
      passOn(event, {
        begin,
        end,
        takeRequest,
        takeItem: tools.take,
        takeOfAgent: agents.takeEvent,
        takeStatus: agents.takeStatus,
      });
      history?.apply(event);
    },
  };
}

interface Takers {
  begin(): void;
  end(event: TurnCompleted | TurnFailed): void;
  takeRequest(event: RequestCompleted): void;
  takeItem(item: ThreadItem, finished: boolean): void;
  readonly takeOfAgent: AgentSpans['takeEvent'];
  readonly takeStatus: AgentSpans['takeStatus'];
}

function passOn(event: ThreadEvent, takers: Takers): void {
  switch (event.type) {
    case 'turn.started':
      return takers.begin();
    case 'turn.completed':
    case 'turn.failed':
      return takers.end(event);
    case 'request.completed':
      return takers.takeRequest(event);
    case 'item.started':
    case 'item.completed':
      return takers.takeItem(event.item, event.type === 'item.completed');
    case 'agent.event':
      return takers.takeOfAgent(event);
    case 'agent.status':
      return takers.takeStatus(event);
    default:
  }
}

interface OpenTurn {
  readonly context: SpanContext;
  readonly startMs: number;
}
