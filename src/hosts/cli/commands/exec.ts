import {readFile} from 'node:fs/promises';
import {FettleError} from '../../../base/errors.ts';
import {type Json, parseJson} from '../../../base/json.ts';
import {exitCodeOfOutcome} from '../../../protocol/exit-code.ts';
import {openThread} from '../../../sdk/thread/open-thread.ts';
import {execEvents} from '../output/exec-events.ts';
import {withoutNothing} from '../../../sdk/verification/ending-lines.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {pipedInput} from '../piped-input.ts';
import {isPromptOnStdin, readPrompt} from '../read-prompt.ts';
import type {ExecOptions} from '../command-line/run-options.ts';
import {answerOf, report} from '../output/report-run.ts';
import {execSession} from '../exec-session.ts';
import {sessionToResume} from '../session-to-resume.ts';
import {isServerPrompt, runTask, taskOf} from '../run-prompt.ts';

/** `fettle exec`: one task without a person. Returns the exit code of how it ended. */
export async function exec(io: Io, typed: string, options: ExecOptions & {readonly readOnly?: boolean}): Promise<number> {
  const prompt = await readPrompt(io, typed);
  const outputSchema = options.outputSchema === undefined ? undefined : await readSchema(options.outputSchema);
  const session = await execSession(io, options);
  for (const notice of session.notices) io.note(notice);

  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const signal = interrupts.signal();
    const resume = await sessionToResume({io, session, options});
    const task = await taskOf(session, prompt, signal);
    const input = isPromptOnStdin(io, typed) ? undefined : await pipedInput(io);
    const events = await execEvents(io, options);
    const {onEvent} = events;
    const thread = await openThread(
      {session, task, onEvent, onWait: io.note, resume, outputSchema, readOnly: options.readOnly, verify: options.verify},
      signal,
    );
    for (const note of thread.notes) io.note(note);
    const result = await runTask(io, thread, {task, isForServer: isServerPrompt(prompt), input, signal}).catch((error: unknown) => {
      events.end();
      throw error;
    });
    events.end(answerOf(result));
    report(io, options.readOnly === true ? withoutNothing(result) : result, events.areOutput);
    return exitCodeOfOutcome(result.outcome);
  } finally {
    interrupts.dispose();
  }
}

/** Reads a JSON Schema from a file. Throws USAGE if it cannot be read or is not JSON. */
async function readSchema(file: string): Promise<Json> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new FettleError({code: 'USAGE', message: `${file} cannot be read.`, hint: 'Give the file of a JSON Schema.', cause});
  });
  const schema = parseJson(text);
  if (schema === undefined)
    throw new FettleError({code: 'USAGE', message: `${file} is not JSON.`, hint: 'Give the file of a JSON Schema.'});
  return schema;
}
