// A thread that says of each task which thread did it.
import {parentPort, threadId} from 'node:worker_threads';

parentPort?.on('message', (task: string) => {
  if (task === 'end') process.exit(3);
  if (task === 'throw') throw new Error('This task cannot be done.');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (task !== 'never') parentPort?.postMessage(`${threadId} ${task}`);
});
