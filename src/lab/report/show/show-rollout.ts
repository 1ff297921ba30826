import {visibleText} from '../../../base/visible-text.ts';
import {isJsonObject, parseJson} from '../../../base/json.ts';
import {callViews, entryText, transcriptOf, type CallView, type TranscriptEntry} from '../../../sessions/export/transcript.ts';
import {readStepEvents, stepsOfRollout, type ReadArtifact} from '../../log/rollout-log.ts';
import type {RolloutResult} from '../../rollout/rollout.ts';
import {failureWord} from '../failure-words.ts';
import {dollars, duration, shortCount} from '../figures.ts';
import {failureOf} from '../measures.ts';
import {plainLine, wrapped} from '../text/text-table.ts';
import {textsOfRollout} from './read-texts.ts';
import {onlyHead} from './shortened.ts';

const LIMITS = {
  lastMessage: {lines: 60, chars: 8000},
  verification: {lines: 40, chars: 8000},
  diff: {lines: 400, chars: 40_000},
};
const PROMPT_LIMIT = {lines: 40, chars: 4000};

export interface ShownRollout {
  readonly result: RolloutResult;
  readonly read: ReadArtifact;
  readonly width?: number | undefined;
}

/**
 * One rollout as text for a terminal: result, prompt, the steps of the agent, its last message, the end of the verification, the changes, and
 * where its artefacts are. Cleaned, so that nothing of it steers the terminal.
 */
export async function showRollout({result, read, width = 80}: ShownRollout, signal: AbortSignal): Promise<string> {
  const texts = await textsOfRollout(result, {read, limits: LIMITS}, signal);
  const prompts: string[] = [];
  const steps: string[] = [];
  for (const step of stepsOfRollout(result)) {
    const {entries} = transcriptOf(await readStepEvents(step, read, signal));
    if (step.name !== '') steps.push(`Step ${plainLine(step.name)}`);
    prompts.push(...entries.flatMap((entry) => (entry.kind === 'user' && !entry.byHarness ? [entry.text] : [])));
    steps.push(...entries.flatMap((entry) => entryLines(entry, width)));
  }
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Prompt', block(onlyHead(prompts.join('\n\n'), PROMPT_LIMIT))],
    ['Steps', steps.map((line) => `  ${line}`)],
    ['Last message', block(texts.lastMessage ?? '')],
    ['Verification', block(texts.verification ?? '')],
    ['Changes', block(texts.diff ?? '')],
    ['Artefacts', Object.entries(result.artifacts).map(([name, place]) => `  ${plainLine(name)}: ${plainLine(place)}`)],
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => `${title}\n${lines.join('\n')}`);
  return `${[head(result, width).join('\n'), ...shown].join('\n\n')}\n`;
}

function head(result: RolloutResult, width: number): string[] {
  const {key, note, outcome, reward, rewards, usage, costUsd, agentMs, verifyMs, retries, exitCode, version} = result;
  const failure = failureOf(result);
  const named = Object.entries(rewards).map(([name, value]) => `${name} ${value}`);
  const cost = costUsd === null ? 'cost not known' : dollars(costUsd);
  return [
    ...wrapped(`${key.task}, attempt ${key.attempt}: ${key.model} with ${key.toolset}, run ${key.run}`, width),
    ...wrapped(`${outcome}${failure === undefined ? '' : ` (${failureWord(failure)})`}${note === undefined ? '' : `: ${note}`}`, width),
    ...wrapped(
      `reward ${reward}${named.length > 1 ? ` (${named.join(', ')})` : ''}, exit code ${exitCode ?? 'none'}, ${cost}, ${usage.turns} turns`,
      width,
    ),
    ...wrapped(
      `${duration(agentMs)}, verified in ${duration(verifyMs)}; tokens: ${shortCount(usage.inputTokens)} in (${shortCount(usage.cachedTokens)} cached), ${shortCount(usage.outputTokens)} out`,
      width,
    ),
    ...wrapped(`Fettle ${version}${retries === 0 ? '' : `, after ${retries} failures of the infrastructure`}`, width),
  ];
}

function block(text: string): readonly string[] {
  const clean = visibleText(text).trimEnd();
  return clean === '' ? [] : clean.split('\n').map((line) => `  ${line}`.trimEnd());
}

function entryLines(entry: TranscriptEntry, width: number): readonly string[] {
  if (entry.kind === 'reply') {
    const message = entryText(entry.reply, 'agent_message');
    const words = message === '' ? [] : wrapped(onlyHead(message, {lines: 3, chars: 400}), width - 4);
    return [...words, ...callViews(entry.reply).map((view) => callLine(view, width))];
  }
  if (entry.kind === 'note') return wrapped(`(${entry.name}: ${entry.text})`, width - 4);
  if (entry.kind === 'compaction' || entry.kind === 'rewind') return wrapped(`(${entry.text})`, width - 4);
  if (entry.kind === 'turn_end') return entry.text === undefined ? [] : wrapped(entry.text, width - 4);
  return [];
}

/** The call with what tells it apart, and how it ended. */
function callLine({call, output, text, isError}: CallView, width: number): string {
  const parsed = parseJson(call.arguments);
  const args = isJsonObject(parsed) ? Object.values(parsed).find((value) => typeof value === 'string') : call.arguments;
  const end = output?.summary ?? (isError ? text.split('\n', 1)[0] : undefined);
  const line = plainLine(`${isError ? '✗' : '·'} ${call.tool_name} ${args ?? ''}${end === undefined ? '' : ` → ${end}`}`);
  return line.length > width - 2 ? `${line.slice(0, width - 3)}…` : line;
}
