import {counted} from '../../../base/counted.ts';
import {codeHtml, escaped} from '../../../sessions/export/html-text.ts';
import {markdownHtml} from '../../../sessions/export/markdown-html.ts';
import type {RolloutKey, RolloutResult} from '../../rollout/rollout.ts';
import {failureWord} from '../failure-words.ts';
import {dollars, duration, shortCount} from '../figures.ts';
import {variantName} from '../make-report.ts';
import {failureOf} from '../measures.ts';
import type {Anchors} from './anchors.ts';
import type {ReportTask} from '../run-results.ts';

/** Texts of a rollout for the page, cut to a bounded length by whoever read them. */
export interface RolloutTexts {
  readonly lastMessage?: string | undefined;
  /** The end of what the verification wrote. */
  readonly verification?: string | undefined;
  readonly diff?: string | undefined;
}

/** Gives the texts of a rollout, where they were read. */
export type TextsOf = (key: RolloutKey) => RolloutTexts | undefined;

export interface DetailsInput {
  readonly tasks: readonly ReportTask[];
  readonly textsOf: TextsOf;
  readonly anchors: Anchors;
}

/** Every rollout by its task, closed until someone opens it or follows a link to it. */
export function rolloutDetails({tasks, textsOf, anchors}: DetailsInput): string {
  if (anchors.tasks.size === 0) return '';
  const prompts = new Map(tasks.map(({id, prompt}) => [id, prompt]));
  const entries = [...anchors.tasks].map(([task, {id, rollouts}]) => {
    const passed = rollouts.filter(({result}) => result.outcome === 'passed').length;
    const prompt = prompts.get(task);
    const text = prompt === undefined ? '' : `<div class="prompt">${markdownHtml(prompt)}</div>`;
    const ones = rollouts.map((one) => rolloutHtml(one.id, one.result, textsOf(one.result.key)));
    // Ids are inside: browsers open what a link leads into.
    return `<details class="task"><summary><span class="task-name">${escaped(task)}</span> <small>${passed} of ${counted(rollouts.length, 'rollout')} passed</small></summary><div id="${id}" class="inside">${text}${ones.join('')}</div></details>`;
  });
  return `<section id="rollouts" aria-labelledby="rollouts-title"><h2 id="rollouts-title">Rollouts</h2><p class="caption">The attempts at each task. <code>fettle lab show</code> has everything of one, with its log.</p>${entries.join('')}</section>`;
}

function rolloutHtml(id: string, result: RolloutResult, texts: RolloutTexts = {}): string {
  const {key, agentMs, costUsd, outcome} = result;
  const facts = [duration(agentMs), ...(costUsd === null ? [] : [dollars(costUsd)])].join(' · ');
  const summary = `<span class="badge ${outcome}">${escaped(endOf(result))}</span> <span>${escaped(variantName(key))}, attempt ${key.attempt}</span> <small>${facts}</small>`;
  return `<details class="rollout"><summary>${summary}</summary><div id="${id}" class="inside">${noteHtml(result)}${factsHtml(result)}${textsHtml(texts)}</div></details>`;
}

function endOf(result: RolloutResult): string {
  if (result.outcome === 'passed') return 'passed';
  const failure = failureOf(result);
  return failure === undefined ? 'infrastructure' : failureWord(failure);
}

function noteHtml({note}: RolloutResult): string {
  return note === undefined || note === '' ? '' : `<p class="note">${escaped(note)}</p>`;
}

function factsHtml({key, reward, rewards, steps, usage, verifyMs, exitCode, retries, artifacts}: RolloutResult): string {
  const named = Object.entries(rewards).map(([name, value]) => `${name} ${rounded(value)}`);
  // Of a task with several steps, the log of the first.
  const log = Object.entries(artifacts).find(([name]) => name.endsWith('events.jsonl'))?.[1];
  const facts: readonly (readonly [string, string])[] = [
    ['Reward', `${rounded(reward)}${named.length > 1 ? ` (${named.join(', ')})` : ''}`],
    ...(steps.length > 1 ? [['Steps', steps.map((step) => `${step.name} ${rounded(step.reward)}`).join(', ')] as const] : []),
    ['Turns', String(usage.turns)],
    ['Tokens', `${shortCount(usage.inputTokens)} in (${shortCount(usage.cachedTokens)} cached), ${shortCount(usage.outputTokens)} out`],
    ['Verified in', duration(verifyMs)],
    ['Exit code', exitCode === null ? 'none' : String(exitCode)],
    ...(retries === 0 ? [] : [['Retried', `${retries} times, after the infrastructure failed`] as const]),
    ...(log === undefined ? [] : [['Log', log] as const]),
    ['Open', `fettle lab show ${key.task}/${key.model}/${key.toolset}/${key.attempt}`],
  ];
  return `<dl>${facts.map(([label, value]) => `<dt>${label}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`;
}

function rounded(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function textsHtml({lastMessage = '', verification = '', diff = ''}: RolloutTexts): string {
  return [
    lastMessage.trim() === '' ? '' : `<h3>Last message</h3><div class="message">${markdownHtml(lastMessage)}</div>`,
    verification.trim() === '' ? '' : `<h3>Verification</h3>${codeHtml(verification)}`,
    diff.trim() === '' ? '' : `<h3>Changes</h3>${codeHtml(diff)}`,
  ].join('');
}
