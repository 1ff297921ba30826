import {createRedactor} from '../../base/redact.ts';
import {ThreadEvent} from '../../protocol/events.ts';
import {loadLog} from '../log-reader.ts';
import type {LoggedEvent} from '../log-line.ts';
import {redactEvent} from '../redact-event.ts';
import type {SubagentLog} from './subagent-logs.ts';

export const EXPORT_FORMATS = ['jsonl', 'markdown', 'html', 'atif', 'open-responses'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * The text of a session file in a format; `jsonl` is the log itself. Secrets are redacted in all of them, also those that a log holds which was
 * written before it was known that they are some. A net for accidents, not a promise: a secret without a shape or a name passes.
 */
export async function exportSession(file: string, format: ExportFormat): Promise<string> {
  const redactor = createRedactor({shapes: true});
  const load = async (path: string): Promise<readonly LoggedEvent[]> => {
    const {events} = await loadLog(path);
    return events.map((logged) => ({...logged, event: redactEvent(logged.event, redactor)}));
  };
  const clean = await load(file);
  if (format === 'jsonl') return clean.map((logged) => `${JSON.stringify(logged)}\n`).join('');
  const known = clean.filter(isKnown);
  const project = await PROJECTIONS[format]();
  const {subagentLogs} = await import('./subagent-logs.ts');
  return project(known, await subagentLogs(file, known, async (path) => (await load(path)).filter(isKnown)));
}

/** True for an event that this version knows and that is valid; all others are exported as `jsonl` only. */
function isKnown({event}: LoggedEvent): boolean {
  return ThreadEvent.safeParse(event).success;
}

type Projection = (events: Iterable<LoggedEvent>, subagents: readonly SubagentLog[]) => string;

const PROJECTIONS: Readonly<Record<Exclude<ExportFormat, 'jsonl'>, () => Promise<Projection>>> = {
  markdown: async () => (await import('./markdown.ts')).exportMarkdown,
  html: async () => (await import('./html.ts')).exportHtml,
  atif: async () => (await import('./atif.ts')).exportAtif,
  'open-responses': async () => (await import('./open-responses.ts')).exportOpenResponses,
};
