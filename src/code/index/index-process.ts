import {flushCompileCache} from 'node:module';
import {setFlagsFromString} from 'node:v8';
import {isMainThread, parentPort} from 'node:worker_threads';
import {toFettleError} from '../../base/errors.ts';
import {optimiseEngine} from '../extract/engine.ts';
import {factsOf} from '../extract/facts.ts';
import {namesInText} from '../extract/names-in-text.ts';
import {placesOfLocal} from '../extract/local-places.ts';
import {meaningInFile} from '../extract/places.ts';
import {IndexKeeper} from './index-keeper.ts';
import type {Answer, Question, Said} from './messages.ts';
import {serveThread} from './index-thread.ts';
import type {UpTo} from './update-index.ts';

/** The file that the process of an index runs, and each of its threads. */
if (!isMainThread && parentPort !== null) serveThread(parentPort);
else if (process.send !== undefined) serve();

function serve(): void {
  optimiseEngine();
  // Each thread compiles the same hot functions for itself: most builds are over before a compiler that optimises has paid for itself.
  setFlagsFromString('--invocation-count-for-maglev=1500');
  setFlagsFromString('--invocation-count-for-turbofan=100000');
  let keeper: IndexKeeper | undefined;
  const {signal} = new AbortController();
  const say = (answer: Answer): void => void process.send?.(answer, undefined, undefined, () => undefined);
  // Its owner is gone, however it went.
  process.on('disconnect', () => process.exit());
  process.on('message', (question: Question) => {
    if (question.is === 'open') keeper = new IndexKeeper({...question, entry: new URL(import.meta.url)});
    else if (question.is === 'overlay') keeper?.overlay(question.path, question.text);
    else void answer(question);
  });

  async function answer(question: Extract<Question, {id: number}>): Promise<void> {
    const {id} = question;
    try {
      if (question.is === 'fresh') await keeper?.fresh(report(id), signal, question.upTo);
      say({is: 'done', id, said: question.is === 'fresh' ? undefined : await sayOf(question, signal)});
      if (question.is === 'fresh') await afterwards(question.upTo);
      // At its end it is killed.
      flushCompileCache();
    } catch (thrown) {
      const {code, message, hint} = toFettleError(thrown);
      say({is: 'failed', id, code, message, hint});
    }
  }

  /** What fails here fails again, and is said, when somebody asks for it. */
  async function afterwards(upTo: UpTo | undefined): Promise<void> {
    if (upTo === 'symbols') await keeper?.settle(signal).catch(() => undefined);
    await keeper?.prepare(signal).catch(() => undefined);
  }

  /** A message for each hundredth part. */
  function report(id: number): (progress: {done: number; total: number}) => void {
    let told = -1;
    return (progress) => {
      const part = Math.floor((100 * progress.done) / Math.max(1, progress.total));
      if (part === told) return;
      told = part;
      say({is: 'progress', id, progress});
    };
  }
}

async function sayOf(question: Extract<Question, {text: string; id: number}>, signal: AbortSignal): Promise<Said> {
  if (question.is === 'facts') return {facts: await factsOf(question.language, question.text, signal)};
  if (question.is === 'names') {
    const {language, text, name} = question;
    return {names: await namesInText({language, text, signal}, name)};
  }
  const {language, text, at, every} = question;
  if (every) return {places: await placesOfLocal({language, text, signal}, at)};
  const meaning = await meaningInFile({language, text, signal}, at);
  return {places: meaning?.is === 'local' ? [meaning.declaration] : []};
}
