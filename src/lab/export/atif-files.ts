import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {exportAtif} from '../../sessions/export/atif.ts';
import {stepsOfRollout, type RolloutStep} from '../log/rollout-log.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import {exportedEvents, exportedSubagents} from './rollout-source.ts';
import {provenanceOf, stepField, type TaskExport} from './task-export.ts';

/** Trajectories are for looking at, too: repeated ones stay. */
export async function exportAtifFiles(judged: readonly RolloutResult[], to: TaskExport): Promise<void> {
  const {read, folder, split, counts, signal} = to;
  for (const result of judged) {
    for (const step of stepsOfRollout(result)) {
      const events = await exportedEvents(step, read, signal);
      if (events.length === 0) {
        counts.leave('no log', 1);
        continue;
      }
      const trajectory = parseJson(exportAtif(events, await exportedSubagents({step, events}, read, signal)));
      const provenance = {...provenanceOf(result, to), ...stepField(step)};
      const text = JSON.stringify({...(isJsonObject(trajectory) ? trajectory : {}), extra: provenance}, undefined, 2);
      await mkdir(join(folder, split), {recursive: true, mode: 0o700});
      await writeFile(join(folder, split, fileName(result, step)), `${text}\n`, {mode: 0o600, flag: 'wx'});
      counts.records[split] += 1;
    }
  }
}

function fileName({key: {task, model, toolset, attempt}}: RolloutResult, {name}: RolloutStep): string {
  const parts = [task, model, toolset, String(attempt), ...(name === '' ? [] : [name])];
  return `${parts.map((part) => encodeURIComponent(part).replaceAll(/[*%]/g, '_')).join('~')}.json`;
}
