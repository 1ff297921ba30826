import type {AgentStatusChanged, RequestCompleted, ThreadEvent, TurnCompleted, TurnFailed} from '../../protocol/events.ts';
import type {ThreadItem} from '../../protocol/items.ts';
import {createHistory} from '../../sessions/history.ts';
import {agentAttributes, chatAttributes, contentOf, endAttributes, modelOf} from './genai-attributes.ts';
import {createToolSpans} from './genai-tools.ts';
import type {Span, SpanContext} from './span.ts';

export interface GenAiSpansOptions {
  /** What was said and done goes with the spans, too. */
  readonly content: boolean;
  readonly onSpan: (span: Span) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** So many random bytes, hexadecimal. */
  readonly newId: (bytes: number) => string;
  readonly parent: SpanContext | undefined;
  /** Who works: `fettle`, or the profile of a subagent. */
  readonly agent: string;
}

export interface GenAiSpans {
  observe(event: ThreadEvent): void;
}

/**
 * The events of a thread as spans of the GenAI semantic conventions of OpenTelemetry: `invoke_agent` for each turn, in it `chat` for each
 * request and `execute_tool` for each call; the turns of subagents hang in the turn that started them. Without `content` no text of a
 * person, a model or a tool is in them, and no argument and no path.
 */
export function createGenAiSpans(options: GenAiSpansOptions): GenAiSpans {
  const {content, newId, now, agent} = options;
  const history = content ? createHistory() : undefined;
  const children = new Map<string, GenAiSpans>();
  let thread = {id: '', model: ''};
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
  const takeRequest = (event: RequestCompleted): void => {
    const attributes = {...chatAttributes(event, thread.id), ...(history === undefined ? {} : contentOf(history, event))};
    const {model} = modelOf(event.model);
    send({name: `chat ${model}`, kind: 'client', startMs: now() - event.duration_ms, endMs: now(), attributes, isError: false});
  };
  const childOf = ({agent_id: id, agent: profile}: Pick<AgentStatusChanged, 'agent_id' | 'agent'>): GenAiSpans => {
    const child = children.get(id) ?? createGenAiSpans({...options, agent: profile, parent: turn?.context ?? options.parent});
    children.set(id, child);
    return child;
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
        takeOfAgent: (inner) => childOf(inner).observe(inner.event as ThreadEvent),
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
  takeOfAgent(event: Extract<ThreadEvent, {type: 'agent.event'}>): void;
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
    default:
  }
}

/** A span in the turn that runs. */
export type InnerSpan = Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'>;

interface OpenTurn {
  readonly context: SpanContext;
  readonly startMs: number;
}
