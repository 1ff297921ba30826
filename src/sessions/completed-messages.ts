import type {Message} from '../protocol/messages.ts';

/** The part of a history before its first event: of a log whose older part is read on demand. */
export interface EarlierHistory {
  /** Finished items. */
  readonly items: number;
  /** The previous conversation, and about how many messages it has; absent: there was none. */
  readonly unread?: {readonly messages: Mark; readonly about: number} | undefined;
  /** Snapshots at the turns and rewinds since the last compaction, and since the one before. */
  readonly marks: ReadonlyMap<string, Mark>;
  readonly olderMarks: ReadonlyMap<string, Mark>;
}

/** A snapshot of the conversation at one point. */
export type Mark = () => readonly Message[];

export const NOTHING_EARLIER: EarlierHistory = {items: 0, marks: new Map(), olderMarks: new Map()};

/** The messages of a conversation that no later event changes, and the points that it can go back to. */
export interface CompletedMessages {
  add(messages: readonly Message[]): void;
  /** A compaction: earlier messages can be reached until the next one. */
  replace(messages: readonly Message[]): void;
  mark(id: string): void;
  /** Goes back to a mark; if there is none nothing changes. */
  rewind(id: string): void;
  reaches(id: string): boolean;
  all(): readonly Message[];
  /** Those that were read so far. */
  newest(): readonly Message[];
  hasUnread(): boolean;
  /** An estimate of the number that was not read. */
  count(): number;
}

export function createCompletedMessages(earlier: EarlierHistory): CompletedMessages {
  let messages: Message[] = [];
  let unread = earlier.unread === undefined ? undefined : {...earlier.unread, messages: once(earlier.unread.messages)};
  let marks = new Map(earlier.marks);
  let {olderMarks} = earlier;
  return {
    add: (added) => void messages.push(...added),
    replace(by) {
      [messages, unread] = [[...by], undefined];
      [olderMarks, marks] = [marks, new Map<string, Mark>()];
    },
    mark(id) {
      const [before, these, count] = [unread, messages, messages.length];
      marks.set(id, () => [...(before?.messages() ?? []), ...these.slice(0, count)]);
    },
    rewind(id) {
      const to = marks.get(id) ?? olderMarks.get(id);
      if (to !== undefined) [messages, unread] = [[...to()], undefined];
    },
    reaches: (id) => marks.has(id) || olderMarks.has(id),
    all() {
      if (unread !== undefined) [messages, unread] = [[...unread.messages(), ...messages], undefined];
      return messages;
    },
    newest: () => messages,
    hasUnread: () => unread !== undefined,
    count: () => (unread?.about ?? 0) + messages.length,
  };
}

function once(read: Mark): Mark {
  let messages: readonly Message[] | undefined;
  return () => (messages ??= read());
}
