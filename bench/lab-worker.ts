// A process of the lab's bench. `coordinator`: enqueues 100,000, runs 2,000, ends. `worker`: waits for `go`, then works until it is killed.
import {once} from 'node:events';
import {setFlagsFromString} from 'node:v8';
import {openEngine} from '../src/lab/engine/open-engine.ts';
import {benchRollouts, waitingRun} from './lab-rollouts.ts';

// As the launcher of the command does.
setFlagsFromString('--semi-space-growth-factor=1');
const {place, is, ms = 0} = JSON.parse(process.argv[2] ?? '') as {readonly place: string; readonly is: string; readonly ms?: number};
const never = new AbortController().signal;
const engine = await openEngine(place.startsWith('postgres://') ? {folder: '', queue: place} : {folder: place}, never);
if (is === 'coordinator') {
  await engine.coordinate('bench', never);
  const began = performance.now();
  await engine.enqueue({name: 'bench', settings: {}}, benchRollouts(100_000), never);
  const enqueued = performance.now();
  const [drain, run] = [new AbortController(), waitingRun(0)];
  let ran = 0;
  await engine.work(
    {
      slots: 8,
      until: 'bench',
      drain: {signal: drain.signal},
      async run(rollout) {
        if (++ran === 2000) drain.abort();
        return await run(rollout);
      },
    },
    never,
  );
  const [enqueueMs, workMs, peakKib] = [enqueued - began, performance.now() - enqueued, process.resourceUsage().maxRSS];
  process.stdout.write(JSON.stringify({enqueueMs, workMs, peakKib}));
  await engine.close();
} else {
  process.send?.('ready');
  await once(process, 'message');
  await engine.work({slots: 1, run: waitingRun(ms)}, never);
}
