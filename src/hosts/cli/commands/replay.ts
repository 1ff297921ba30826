import {counted} from '../../../base/counted.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {ReplayReport} from '../../../sdk/replay/replay-report.ts';
import {replaySession} from '../../../sdk/replay/replay-session.ts';
import {unifiedDiff} from '../../../text/diff/unified-diff.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {createProgress} from '../output/progress.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

export interface ReplayOptions extends Pick<SettingOptions, 'cwd' | 'mode' | 'sandbox' | 'allow' | 'ask' | 'deny'> {
  readonly keep?: true;
  readonly json?: true;
}

/** `fettle sessions replay ID`: runs a session again without a model, in a scratch copy. Exit code 1 if something differs. */
export async function replayOne(io: Io, id: string, options: ReplayOptions): Promise<number> {
  const {cwd, keep, json} = options;
  const flags = flagsOf(options);
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  try {
    const signal = interrupts.signal();
    const report = await replaySession({id, env: io.env, home: io.home, cwd, flags, keep, onEvent: createProgress(io)}, signal);
    if (signal.aborted) return EXIT.interrupted;
    if (json === true) io.data(`${JSON.stringify(report, undefined, 2)}\n`);
    else io.shown(await reportText(report, keep === true));
    return report.divergence === undefined ? EXIT.done : EXIT.failed;
  } finally {
    interrupts.dispose();
  }
}

async function reportText(
  {session, turns, requests, calls, notRun, notes, folder, divergence}: ReplayReport,
  isKept: boolean,
): Promise<string> {
  const done = `${counted(turns, 'turn')}, ${counted(requests, 'request')}, ${counted(calls, 'call')} run again`;
  const lines = [
    ...notes,
    ...notRun.map((what) => `Not run again, the recorded result was used: ${what}`),
    ...(isKept ? [`The copy is at ${folder}`] : []),
  ];
  if (divergence === undefined) return `${[...lines, `Session ${session}: the same as recorded (${done}).`].join('\n')}\n`;
  const {turn, request, message, call, recorded, now} = divergence;
  const diff = await unifiedDiff(`${recorded}\n`, `${now}\n`, 'result');
  return `${[
    ...lines,
    `Session ${session}: different from the recording in turn ${turn}, request ${request} (${done}).`,
    message,
    ...(call === undefined ? [] : [`${call.name} ${call.arguments}`]),
    diff.replace(/^--- .*\n\+\+\+ .*\n/, '--- recorded\n+++ now\n').trimEnd(),
  ].join('\n')}\n`;
}
