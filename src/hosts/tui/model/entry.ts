import type {ToolOutcome} from '../../../protocol/items.ts';
import type {SessionInfo} from '../host-adapter.ts';

/** One entry of the conversation, oldest first. A final entry never changes again: it may have scrolled away. */
export type Entry = UserEntry | AnswerEntry | ReasoningEntry | ToolEntry | NoticeEntry | PlainEntry | BannerEntry;

export interface UserEntry {
  readonly kind: 'user';
  readonly text: string;
  /** The way the prompt came into the conversation; absent: it began a turn. */
  readonly origin?: 'steer' | 'shell' | 'scheduled' | undefined;
}

export interface AnswerEntry {
  readonly kind: 'answer';
  readonly id: string;
  readonly text: string;
  readonly isFinal: boolean;
}

export interface ReasoningEntry {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly text: string;
  readonly isFinal: boolean;
  readonly startedAt: number;
  readonly durationMs?: number | undefined;
}

export interface ToolEntry {
  readonly kind: 'tool';
  /** Id of the item. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** As the model wrote them: JSON text, perhaps broken. */
  readonly arguments: string;
  readonly state: 'running' | ToolOutcome;
  readonly startedAt: number;
  /** From its start to its end, with all waiting. */
  readonly durationMs?: number | undefined;
  /** The time that it has waited for answers to questions about it. Milliseconds. */
  readonly waitedMs?: number | undefined;
  /** Since when it waits for one. */
  readonly asksSince?: number | undefined;
  /** One line for people. */
  readonly summary?: string | undefined;
  /** While it runs, its newest output; then the text shown to the model. */
  readonly output: string;
  /** The person or rule that allowed or denied it. */
  readonly decision?: string | undefined;
  /** The allowed parts of the change, if a person reviewed it as diffs. */
  readonly approved?: readonly ChangedPiece[] | undefined;
  /** The subagent that made the call. */
  readonly agent?: string | undefined;
}

/** A piece of a file that a call replaces, or all of it; `before` or `after` is '' if it only adds or removes. */
export interface ChangedPiece {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface NoticeEntry {
  readonly kind: 'notice';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Text of the screen itself: the first lines, answers of commands, the end of a turn. */
export interface PlainEntry {
  readonly kind: 'plain';
  readonly title?: string | undefined;
  readonly text: string;
  readonly isDim?: boolean | undefined;
  /** The part that the conversation shows of a long text; the pager has the full text. */
  readonly keeps?: 'start' | 'end' | undefined;
  /** More of it comes. */
  readonly isRunning?: boolean | undefined;
}

/** The beginning of a conversation: the program, and its settings. */
export interface BannerEntry {
  readonly kind: 'banner';
  /** `Fettle 1.2.3`. */
  readonly appName: string;
  readonly folder: string;
  readonly info: SessionInfo;
}

/** Returns true if nothing of the entry will change any more. */
export function isFinal(entry: Entry): boolean {
  if (entry.kind === 'tool') return entry.state !== 'running';
  if (entry.kind === 'plain') return entry.isRunning !== true;
  return entry.kind === 'answer' || entry.kind === 'reasoning' ? entry.isFinal : true;
}
