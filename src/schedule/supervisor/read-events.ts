import {StringDecoder} from 'node:string_decoder';

/** The events of a run that a person is told of. */
export interface EventReport {
  readonly lastMessage?: string | undefined;
  /** The reason that `turn.failed` gives. */
  readonly failure?: string | undefined;
}

/** Reads the lines of `fettle exec --json` as they come. What is no event is left out. */
export interface EventReader {
  push(chunk: Buffer): void;
  report(): EventReport;
}

/** A line beyond this is not parsed: an answer is smaller. */
const LONGEST_LINE = 4 * 2 ** 20;

export function createEventReader(): EventReader {
  const decoder = new StringDecoder('utf8');
  let report: EventReport = {};
  let rest = '';
  let isTooLong = false;
  return {
    push(chunk) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!isTooLong) report = {...report, ...read(line)};
        isTooLong = false;
      }
      if (rest.length > LONGEST_LINE) [rest, isTooLong] = ['', true];
    },
    report: () => report,
  };
}

function read(line: string): EventReport {
  if (!/"(?:agent_message|turn\.failed|turn\.started)"/.test(line)) return {};
  const event = parsed(line);
  if (event?.['type'] === 'turn.started') return {failure: undefined};
  if (event?.['type'] === 'turn.failed' && typeof event['message'] === 'string') return {failure: event['message']};
  if (event?.['type'] !== 'item.completed') return {};
  const item = fields(event['item']);
  return item?.['type'] === 'agent_message' && typeof item['text'] === 'string' ? {lastMessage: item['text']} : {};
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return fields(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? {...value} : undefined;
}
