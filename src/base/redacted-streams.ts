import type {RedactedStream, Redactor} from './redact.ts';

/** A text and the stream that it belongs to. */
export interface StreamPiece<Key> {
  readonly key: Key;
  readonly text: string;
}

/** Redacts several streams that arrive in turns, and gives their pieces away in the order in which they came. */
export interface RedactedStreams<Key> {
  push(key: Key, piece: string): readonly StreamPiece<Key>[];
  /** Returns the text that was held back. */
  end(): readonly StreamPiece<Key>[];
}

/**
 * While one stream holds back text that may be the beginning of a secret, text of the others waits. When too much waits, it goes ahead: the
 * order is only for people, and held-back text must not be shown in parts.
 */
export function createRedactedStreams<Key>(redactor: Redactor): RedactedStreams<Key> {
  const states = new Map<Key, StreamState>();
  let entries: Entry<Key>[] = [];

  const stateOf = (key: Key): StreamState => {
    const state = states.get(key) ?? {stream: redactor.stream(), taken: 0, delivered: 0};
    states.set(key, state);
    return state;
  };
  const delivered = ({key}: Entry<Key>): number => states.get(key)?.delivered ?? 0;
  const hasWaiting = (entry: Entry<Key>): boolean => delivered(entry) < entry.to;

  const drained = (): StreamPiece<Key>[] => {
    const blocked = entries.findIndex(hasWaiting);
    const isFull = entries.length > MAX_ENTRIES || entries.reduce((sum, {text}) => sum + text.length, 0) > MAX_WAITING;
    const ready = blocked === -1 || isFull ? entries : entries.slice(0, blocked + 1);
    const pieces = ready.flatMap(({key, text}) => (text === '' ? [] : [{key, text}]));
    for (const entry of ready) entry.text = '';
    entries = entries.filter((entry) => entry.text !== '' || hasWaiting(entry));
    if (isFull) entries = [...Map.groupBy(entries, ({key}) => key).values()].flatMap((own) => own.at(-1) ?? []);
    return pieces;
  };

  return {
    push(key, piece) {
      const state = stateOf(key);
      state.taken += piece.length;
      const last = entries.at(-1);
      if (last !== undefined && last.key === key) last.to = state.taken;
      else entries.push({key, to: state.taken, text: ''});
      const text = state.stream.push(piece);
      const own = entries.filter((entry) => entry.key === key && hasWaiting(entry));
      share(own, {text, from: state.delivered, to: state.taken - state.stream.held});
      state.delivered = state.taken - state.stream.held;
      return drained();
    },
    end() {
      for (const [key, state] of states) {
        const own = entries.filter((entry) => entry.key === key && hasWaiting(entry));
        share(own, {text: state.stream.end(), from: state.delivered, to: state.taken});
        state.delivered = state.taken;
      }
      return drained();
    },
  };
}

const MAX_ENTRIES = 256;
/** Characters. */
const MAX_WAITING = 16 * 1024;

interface StreamState {
  readonly stream: RedactedStream;
  /** Characters received, and those released. */
  taken: number;
  delivered: number;
}

/** The output of one stream before another one had its turn. */
interface Entry<Key> {
  readonly key: Key;
  /** End of the piece in its stream. */
  to: number;
  text: string;
}

/** Distributes text to the entries that it came from; if a secret across a border was replaced, the replacement stays with the first. */
function share(own: readonly {readonly to: number; text: string}[], {text, from, to}: {text: string; from: number; to: number}): void {
  const [first] = own;
  if (first === undefined) return;
  if (text.length !== to - from) {
    first.text += text;
    return;
  }
  let start = from;
  for (const entry of own) {
    const end = Math.min(entry.to, to);
    entry.text += text.slice(start - from, Math.max(start, end) - from);
    start = Math.max(start, end);
  }
}
