import {parseToml} from '../../config/parse-toml.ts';
import type {JobDefinition, JobRights} from './job-definition.ts';

/** Writes the file of a new job (TOML), for people to read and change. */
export function jobText(job: JobDefinition): string {
  const {name, action, workspace, missed, overlap, notify, createdAt, project, rights} = job;
  const lines = [
    `# \`fettle schedule show ${name}\` says what this job may do. Changes take effect at once; \`fettle schedule list\` names mistakes.`,
    '',
    ...(action.kind === 'prompt' ? [`prompt = ${textValue(action.prompt)}`] : [`reminder = ${textValue(action.text)}`]),
    `workspace = ${quoted(workspace)}`,
    '',
    ...timingLines(job.timing),
    `missed = "${missed}"`,
    `overlap = "${overlap}"`,
    `notify = "${notify}"`,
    '',
    `created = ${new Date(createdAt).toISOString()}`,
    ...(project === undefined ? [] : [projectLine(project)]),
    ...(action.kind === 'prompt' ? ['', ...rightsLines(rights)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function timingLines(timing: JobDefinition['timing']): string[] {
  if (timing.kind === 'every') return [`every = "${period(timing.seconds)}"`];
  if (timing.kind === 'at') return [`at = ${new Date(timing.at).toISOString()}`];
  return [`cron = ${quoted(timing.expression)}`, `time_zone = ${quoted(timing.timeZone)}`];
}

/** `1d2h30m`, without parts that are 0. */
function period(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join('');
}

function rightsLines(rights: JobRights): string[] {
  const limits = [
    ['max_turns', rights.maxTurns],
    ['max_tokens', rights.maxTokens],
    ['max_cost_usd', rights.maxCostUsd],
    ['max_time_s', rights.maxTimeS],
  ] as const;
  const line = (key: string, texts: readonly string[]): string => `${key} = [${texts.map(quoted).join(', ')}]`;
  return [
    '# A run has these rights and no others; ask and deny rules of the configuration hold besides.',
    '[rights]',
    ...(rights.model === undefined ? [] : [`model = ${quoted(rights.model)}`]),
    ...(rights.toolset === undefined ? [] : [`toolset = ${quoted(rights.toolset)}`]),
    `mode = "${rights.mode}"`,
    `sandbox = "${rights.sandbox}"`,
    line('allow', rights.allow),
    line('ask', rights.ask),
    line('deny', rights.deny),
    line('domains', rights.domains),
    line('verify', rights.verify),
    ...limits.flatMap(([key, value]) => (value === undefined ? [] : [`${key} = ${value}`])),
  ];
}

/**
 * Returns the text of a job's file with another digest of its project; all else stays as a person wrote it. Undefined where the file is written
 * in a way that cannot be changed without reading all of it anew.
 */
export function withProject(text: string, project: string): string | undefined {
  const parsed = parseToml(new TextEncoder().encode(text));
  if (!parsed.ok) return undefined;
  const lines = text.split('\n');
  const has = parsed.value['project'] !== undefined;
  const at = has ? parsed.lineOf(['project']) : parsed.value['rights'] === undefined ? endOf(lines) : parsed.lineOf(['rights']);
  const end = (lines[at - 1] ?? lines[0] ?? '').endsWith('\r') ? '\r' : '';
  const changed = lines.toSpliced(at - 1, has ? 1 : 0, `${projectLine(project)}${end}`).join('\n');
  const read = parseToml(new TextEncoder().encode(changed));
  const isSame = read.ok && JSON.stringify(withoutProject(read.value)) === JSON.stringify(withoutProject(parsed.value));
  return isSame && read.value['project'] === project ? changed : undefined;
}

/** Before the empty line that a last line feed leaves. */
function endOf(lines: readonly string[]): number {
  return lines.at(-1) === '' ? lines.length : lines.length + 1;
}

function withoutProject(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'project'));
}

function projectLine(project: string): string {
  return `project = "${project}"`;
}

/** Several lines stay several lines. */
function textValue(text: string): string {
  if (!text.includes('\n') || text.includes('\r')) return quoted(text);
  return `"""\n${text.replaceAll('\\', '\\\\').replaceAll('"""', String.raw`""\"`)}\n"""`;
}

/** A basic string of TOML: JSON's escapes, and DEL. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007f');
}
