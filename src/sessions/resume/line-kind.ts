/** The kind of a line of a log. */
export interface LineKind {
  /** The type of its event. */
  readonly event: string;
  /** The type of the item that it carries. */
  readonly item: string | undefined;
}

/**
 * Finds the kind of a line from its beginning, without parsing it: in a log of 50 MB nothing else matters about most lines. Undefined if it does
 * not have the layout of `encodeLine`, or was torn: then it has to be parsed.
 * @param bytes of a log; the line begins at `start`, its newline is at `end`
 */
export function kindOfLine(bytes: Buffer, start: number, end: number): LineKind | undefined {
  if (end - start < 2 || bytes[end - 1] !== CLOSING || bytes[end - 2] !== CLOSING) return undefined;
  const [, event, item] = LAYOUT.exec(bytes.toString('latin1', start, Math.min(end, start + HEAD))) ?? [];
  return event === undefined || (event.startsWith('item.') && item === undefined) ? undefined : {event, item};
}

const CLOSING = 0x7d;
/** Bytes that contain the types, after ids and times. */
const HEAD = 512;
/** The type of an item follows other short strings, its ids. Nothing in it can match twice, so that it takes one pass. */
const STRING = String.raw`"[^"\\\n]*"`;
const LAYOUT = new RegExp(
  String.raw`^\{"v":1,"seq":\d+,"ts":${STRING},"turn":\d+,"event":\{"type":"([^"\\\n]+)"` +
    String.raw`(?:(?:,"turn_id":${STRING})?,"item":\{(?:(?!"type":)${STRING}:${STRING},)*"type":"([^"\\\n]+)")?`,
);
