import type {ModelEvent, ModelRequest, Provider} from '../provider.ts';
import {firstDifference} from './replay-difference.ts';
import {replyEvents} from './script-events.ts';

/**
 * The provider `replay:FILE`: answers from a recording, which is the event log of a session (JSONL). Each request must be the recorded one:
 * the same user texts, the same calls, as many tool results; the results themselves may differ. Throws CONFIG if the file is not such a log; a
 * request that differs, or one past the last recorded reply, is a PROVIDER failure that names the difference.
 */
export async function createScriptedReplay(file: string): Promise<Provider> {
  const {readRecording} = await import('./replay-recording.ts');
  const steps = await readRecording(file);
  let answered = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const step = steps[answered];
    const problem =
      step === undefined
        ? `the recording ends after reply ${steps.length}.`
        : firstDifference(steps.slice(0, answered + 1), request.messages);
    if (step === undefined || problem !== undefined) {
      const message = `${file}: request ${answered + 1} is not the recorded one: ${problem}`;
      yield {type: 'error', failure: {code: 'PROVIDER', message, hint: 'Replay the same input, or record the session again.', retries: 0}};
      return;
    }
    answered += 1;
    yield* replyEvents(step.reply, signal);
  }

  return {model: `replay:${file}`, stream};
}
