import type {ThreadEvent} from '../../protocol/events.ts';
import type {Message} from '../../protocol/messages.ts';
import type {EarlierHistory, Mark} from '../completed-messages.ts';
import {conversationAt} from './conversation-at.ts';
import type {OutlineLine, OutlinePlace} from './log-outline.ts';

export interface EarlierPart {
  readonly file: string;
  /** Those before `from`. */
  readonly lines: readonly OutlineLine[];
  readonly restart: OutlinePlace;
  readonly from: OutlinePlace;
  readonly read: (line: OutlineLine) => ThreadEvent | undefined;
}

/** Describes the unparsed part between `restart` and `from` for a history: the points one can go back to, without their content. */
export function earlierHistory({file, lines, restart, from, read}: EarlierPart): EarlierHistory {
  let since = restart;
  let [marks, olderMarks] = [new Map<string, Mark>(), new Map<string, Mark>()];
  for (const line of lines) {
    if (line.place.offset < restart.offset) continue;
    if (line.replaces && read(line) !== undefined) [marks, olderMarks, since] = [new Map(), marks, line.place];
    const event = MARKING.has(line.kind.event) ? read(line) : undefined;
    const at = (): readonly Message[] => conversationAt(file, line.place.offset);
    if (event?.type === 'turn.started') marks.set(event.turn_id, at);
    if (event?.type === 'thread.rewound') marks.set(event.checkpoint_id, at);
  }
  const messages = (): readonly Message[] => conversationAt(file, from.offset);
  const unread = from.offset === restart.offset ? undefined : {about: from.messages - since.messages, messages};
  return {items: from.items, marks, olderMarks, unread};
}

const MARKING: ReadonlySet<string> = new Set(['turn.started', 'thread.rewound']);
