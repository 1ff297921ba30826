/** What a line of a log is about. */
export interface LineKind {
  /** The type of its event. */
  readonly event: string;
  /** The type of the item that it carries. */
  readonly item: string | undefined;
}

/**
 * Tells what a line is about from its beginning, without parsing it: a log of 50 MB is mostly lines of which nothing else matters.
 * Undefined where it is not laid out as `encodeLine` does it, or was torn: then it has to be parsed.
 *
 * @param text lines of a log; the bytes as characters will do
 * @param start where the line begins; `end` where its newline is
 */
export function kindOfLine(text: string, start: number, end: number): LineKind | undefined {
  if (!text.startsWith('}}', end - 2)) return undefined;
  LAYOUT.lastIndex = start;
  const [, event, item] = LAYOUT.exec(text) ?? [];
  return event === undefined || (event.startsWith('item.') && item === undefined) ? undefined : {event, item};
}

/** The type of an item stands behind other short strings, its ids. Nothing in it can match twice, so that it takes one pass. */
const STRING = String.raw`"[^"\\\n]*"`;
const LAYOUT = new RegExp(
  String.raw`\{"v":1,"seq":\d+,"ts":${STRING},"turn":\d+,"event":\{"type":"([^"\\\n]+)"` +
    String.raw`(?:(?:,"turn_id":${STRING})?,"item":\{(?:(?!"type":)${STRING}:${STRING},)*"type":"([^"\\\n]+)")?`,
  'y',
);
