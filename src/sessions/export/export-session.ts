import {loadLog} from '../log-reader.ts';
import type {LoggedEvent} from '../log-line.ts';
import {redactKeys} from './redact-keys.ts';

export const EXPORT_FORMATS = ['jsonl', 'markdown', 'html', 'atif', 'open-responses'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The text of a session file in a format. `jsonl` is the log itself, as it is; in the others known shapes of keys are redacted. */
export async function exportSession(file: string, format: ExportFormat): Promise<string> {
  const {events} = await loadLog(file);
  if (format === 'jsonl') return events.map((logged) => `${JSON.stringify(logged)}\n`).join('');
  const project = await PROJECTIONS[format]();
  return redactKeys(project(events));
}

type Projection = (events: Iterable<LoggedEvent>) => string;

const PROJECTIONS: Readonly<Record<Exclude<ExportFormat, 'jsonl'>, () => Promise<Projection>>> = {
  markdown: async () => (await import('./markdown.ts')).exportMarkdown,
  html: async () => (await import('./html.ts')).exportHtml,
  atif: async () => (await import('./atif.ts')).exportAtif,
  'open-responses': async () => (await import('./open-responses.ts')).exportOpenResponses,
};
