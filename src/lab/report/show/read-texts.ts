import {createRedactor} from '../../../base/redact.ts';
import {onlyHead, onlyTail, type LineLimit} from './shortened.ts';
import {stepsOfRollout, type ReadArtifact, type RolloutStep} from '../../log/rollout-log.ts';
import type {RolloutKey, RolloutResult} from '../../rollout/rollout.ts';
import type {RolloutTexts, TextsOf} from '../page/rollout-details.ts';

/** Limits of the texts of one rollout in a page. */
const PAGE_LIMITS: Readonly<Record<keyof RolloutTexts, LineLimit>> = {
  lastMessage: {lines: 60, chars: 4000},
  verification: {lines: 60, chars: 6000},
  diff: {lines: 300, chars: 12_000},
};

/** A page with the texts of more rollouts would take a browser too long to open. */
const MOST_ROLLOUTS = 300;
/** Artefacts may be far away. */
const AT_ONCE = 8;

/**
 * Reads the texts that a page shows of rollouts: of those that failed first, then of the others, at most 300. Returns a function for the page;
 * what cannot be read is left out.
 */
export async function readRolloutTexts(results: readonly RolloutResult[], read: ReadArtifact, signal: AbortSignal): Promise<TextsOf> {
  const order = ['failed', 'infrastructure', 'passed'];
  const chosen = results.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome)).slice(0, MOST_ROLLOUTS);
  const texts = new Map<string, RolloutTexts>();
  for (let from = 0; from < chosen.length; from += AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(
      chosen.slice(from, from + AT_ONCE).map(async (result) => {
        texts.set(nameOf(result.key), await textsOfRollout(result, {read, limits: PAGE_LIMITS}, signal));
      }),
    );
  }
  return (key) => texts.get(nameOf(key));
}

function nameOf({task, model, toolset, attempt}: RolloutKey): string {
  return JSON.stringify([task, model, toolset, attempt]);
}

export interface TextReading {
  readonly read: ReadArtifact;
  readonly limits: Readonly<Record<keyof RolloutTexts, LineLimit>>;
}

/**
 * The texts of one rollout within limits, secrets redacted; of several steps one after the other, but the last message of the last.
 */
export async function textsOfRollout(result: RolloutResult, {read, limits}: TextReading, signal: AbortSignal): Promise<RolloutTexts> {
  const steps = stepsOfRollout(result);
  const all = async (name: string): Promise<readonly string[]> => Promise.all(steps.map((step) => textOf(step, name, {read, signal})));
  const [messages, verifications, diffs] = await Promise.all([all('last-message.txt'), all('verify.txt'), all('diff.patch')]);
  return {
    lastMessage: onlyHead(messages.findLast((text) => text !== '') ?? '', limits.lastMessage),
    verification: onlyTail(verifications.filter((text) => text !== '').join('\n'), limits.verification),
    diff: onlyHead(diffs.map(withoutBinaries).join('\n').trimEnd(), limits.diff),
  };
}

/** Nobody reads the bytes of a binary file in a patch. */
function withoutBinaries(diff: string): string {
  return diff.replaceAll(/^GIT binary patch\n(?:(?!diff --git )[^\n]*\n?)+/gm, '(binary)\n');
}

interface Source {
  readonly read: ReadArtifact;
  readonly signal: AbortSignal;
}

/** Reads a text; if one is gone or cannot be reached, the rest of the run is still shown. */
async function textOf({places}: RolloutStep, name: string, {read, signal}: Source): Promise<string> {
  const place = places[name];
  if (place === undefined) return '';
  const bytes = await read(place, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    return new TextEncoder().encode(`(not readable: ${error instanceof Error ? error.message : String(error)})`);
  });
  return bytes === undefined ? '' : createRedactor({shapes: true}).text(new TextDecoder().decode(bytes)).trimEnd();
}
