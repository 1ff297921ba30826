import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ScheduleFolders} from '../store/schedule-folders.ts';

/** Asks the daemon, if there is one, to look at once: a job was added, paused, resumed or is to be run now. A daemon that looks later loses nothing. */
export function wakeDaemon({wake}: Pick<ScheduleFolders, 'wake'>): void {
  mkdirSync(wake, {recursive: true, mode: 0o700});
  writeFileSync(join(wake, 'now'), '', {mode: 0o600});
}
