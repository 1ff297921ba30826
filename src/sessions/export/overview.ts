import type {Transcript, TranscriptUserEntry} from './transcript.ts';

/** Collects the header of a readable export: label and value, only known ones. */
export function overviewOf({started, startedAt, totals, verified}: Transcript): readonly (readonly [label: string, value: string])[] {
  const {usage, costUsd, turns, requests, outcome} = totals;
  const tokens = `${usage.input_tokens} in (${usage.cached_input_tokens} cached), ${usage.output_tokens} out`;
  return [
    ['Session', started?.thread_id ?? 'unknown'],
    ['Started', startedAt ?? 'unknown'],
    ['Folder', started?.cwd ?? 'unknown'],
    ['Model', started?.model ?? 'unknown'],
    ['Turns', `${turns} (${requests} requests)`],
    ['Tokens', tokens],
    ['Cost', costUsd === null ? 'not known' : `$${costUsd.toFixed(4)}`],
    ['Outcome', outcome ?? 'no turn yet'],
    ...(verified === undefined ? [] : [['Verified', VERIFIED[String(verified)] ?? 'no'] as const]),
  ];
}

/** The first line of the first prompt, as a title. */
export function titleOf({entries}: Transcript): string {
  const first =
    entries
      .find((entry): entry is TranscriptUserEntry => entry.kind === 'user' && !entry.byHarness)
      ?.text.trim()
      .split('\n', 1)[0] ?? '';
  const line = first.slice(0, 80).trim();
  return line === '' ? 'A Fettle session' : line;
}

/** Silence is not success: a check that was not named did not pass. */
const VERIFIED: Readonly<Record<string, string>> = {true: 'yes', false: 'no', none: 'nothing was named to check'};
