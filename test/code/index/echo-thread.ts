// Instead of a thread that parses: says that each file is gone, and which thread says so.
import {parentPort, threadId} from 'node:worker_threads';
import type {ParseBatch} from '../../../src/code/index/parse-thread.ts';

parentPort?.on('message', ({files}: ParseBatch) => {
  if (files.some(({path}) => path === 'end')) process.exit(3);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(files.map(({path}) => ({is: 'gone', path: `${threadId} ${path}`})));
});
