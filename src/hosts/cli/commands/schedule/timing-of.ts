import {FettleError} from '../../../../base/errors.ts';
import {readPeriod} from '../../../../schedule/jobs/read-timing.ts';
import {parseCron} from '../../../../schedule/times/parse-cron.ts';
import {parseMoment} from '../../../../schedule/times/parse-moment.ts';
import type {Timing} from '../../../../schedule/times/timing.ts';
import type {AddOptions} from './schedule-options.ts';

/** Reads `--every`, `--cron` or `--at`. Throws USAGE for none or several of them, and for what is none of these. */
export function timingOf(
  {every, cron, at}: Pick<AddOptions, 'every' | 'cron' | 'at'>,
  clock: {readonly now: number; readonly timeZone: string},
): Timing {
  if ([every, cron, at].filter((text) => text !== undefined).length !== 1) {
    const hint = 'Such as --every 2h, --cron "0 7 * * 1-5", --at "tomorrow 9:00".';
    throw new FettleError({code: 'USAGE', message: 'Give exactly one of --every, --cron and --at.', hint});
  }
  if (every !== undefined) return {kind: 'every', seconds: readPeriod(every), anchor: clock.now};
  if (cron !== undefined) return {kind: 'cron', expression: parseCron(cron), timeZone: clock.timeZone};
  return {kind: 'at', at: parseMoment(at ?? '', clock)};
}
