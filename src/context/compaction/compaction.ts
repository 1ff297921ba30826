import type {ModelRequest, Paid, Provider} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {ToolSchema} from '../../protocol/messages.ts';
import type {History} from '../../sessions/history.ts';
import type {RecallEntry} from '../memory/envelope.ts';
import type {SessionMemory} from '../memory/session-memory.ts';
import type {ReadOutputs} from './stored-results.ts';
import type {WindowSize} from './window.ts';

/** The thread whose conversation is kept within the context window of its model, and the hooks around that. */
export interface ContextWindowOptions {
  readonly threadId: string;
  readonly provider: Provider;
  readonly history: History;
  readonly memory: SessionMemory;
  readonly window: WindowSize;
  /** True: the window is known, and larger requests are not sent. Absent: a provider may take more than is assumed. */
  readonly isCertain?: boolean | undefined;
  /** Receives the context window that a provider named when it refused a request as too long; absent: not stored. */
  readonly onWindow?: ((tokens: number) => void) | undefined;
  /** Share of the window at which a conversation is compacted, 0 to 1; undefined: only when it is asked for, or does not fit. */
  readonly compactAt: number | undefined;
  /** The request without its messages: the same for the whole thread. */
  readonly frame: Omit<ModelRequest, 'messages'>;
  readonly emit: (event: ThreadEvent) => void;
  /** Called for the request that summarises, for budgets and events. */
  readonly onPaid: (paid: Paid) => void;
  /** True if the provider compacts the conversation itself, if it offers that; Fettle compacts if that fails. */
  readonly byProvider?: boolean | undefined;
  /** Opens the model that summarises, if it is a separate one; absent: the model of the conversation. */
  readonly summarizer?: (() => Promise<Summarizer>) | undefined;
  /** Reads outputs from the log of the session; absent: shortened ones stay shortened in summaries. */
  readonly readOutputs?: ReadOutputs | undefined;
  /** Reads recall entries from the log of the session; absent: nothing can be recalled. */
  readonly readIndex?: (() => Promise<readonly RecallEntry[]>) | undefined;
  /** The tool that shows messages that left the conversation: advertised once there are any; absent: not available. */
  readonly recallTool?: (() => Promise<ToolSchema | undefined>) | undefined;
  /** Hooks that are asked before a compaction and notified after it; absent: none. */
  readonly gate?: CompactionGate | undefined;
}

/** Asked before a compaction, and notified after it. */
export interface CompactionGate {
  /** False: it is not to be done. Throws only CANCELLED. */
  before(order: CompactionOrder, signal: AbortSignal): Promise<boolean>;
  after(order: CompactionOrder, report: CompactionReport, signal: AbortSignal): Promise<void>;
}

/** The result of shortening a conversation; sizes in tokens. */
export interface CompactionReport {
  readonly mode: 'trim' | 'local' | 'provider' | 'mechanical' | 'none';
  readonly before: number;
  readonly after: number;
}

/** The reason for shortening a conversation, and the target size. */
export interface CompactionOrder {
  readonly trigger: 'auto' | 'manual' | 'overflow';
  readonly instructions?: string | undefined;
  /** Tokens that the messages may have afterwards; absent: half of the size that starts a compaction. */
  readonly target?: number | undefined;
}

/** One compaction that is under way. */
export interface Compaction extends ContextWindowOptions {
  readonly order: CompactionOrder;
  /** Tokens for the messages. */
  readonly target: number;
  readonly before: number;
}

/** The model that summarises. */
export interface Summarizer {
  readonly provider: Provider;
  /** Input and output together, tokens. */
  readonly windowTokens: number;
}
