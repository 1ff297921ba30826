import {readFile} from 'node:fs/promises';
import {createRedactor} from '../../../base/redact.ts';
import {FettleError} from '../../../base/errors.ts';
import {parseJson, type Json} from '../../../base/json.ts';
import type {RunResult} from '../../../agent/thread.ts';
import {exitCodeOfOutcome} from '../../../protocol/exit-code.ts';
import {loadSettings, withModel, type SessionSettings} from '../../../sdk/settings/load-settings.ts';
import {openThread, type OpenedThread} from '../../../sdk/thread/open-thread.ts';
import {execEvents} from '../output/exec-events.ts';
import {describeEnding, describeOutcome} from '../output/describe-outcome.ts';
import {withoutNothing} from '../../../sdk/verification/ending-lines.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {noteKept} from '../output/note-kept.ts';
import {pipedInput} from '../piped-input.ts';
import {isPromptOnStdin, readPrompt} from '../read-prompt.ts';
import {flagsOf, type ExecOptions} from '../command-line/run-options.ts';
import {sessionToResume} from '../session-to-resume.ts';

/** `fettle exec`: one task without a person. Returns the exit code of how it ended. */
export async function exec(io: Io, given: string, options: ExecOptions & {readonly readOnly?: boolean}): Promise<number> {
  const prompt = await readPrompt(io, given);
  const outputSchema = options.outputSchema === undefined ? undefined : await readSchema(options.outputSchema);
  const session = withModel(await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)}));
  for (const notice of session.notices) io.note(notice);

  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const signal = interrupts.signal();
    const resume = await sessionToResume({io, session, options});
    const task = await taskOf(session, prompt, signal);
    const input = isPromptOnStdin(io, given) ? undefined : await pipedInput(io);
    const events = await execEvents(io, options);
    const {onEvent} = events;
    const thread = await openThread(
      {session, onEvent, onWait: io.note, resume, outputSchema, readOnly: options.readOnly, verify: options.verify},
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

/** What the prompt means where it names a custom command or a skill; a slip costs no session. Servers have their prompts once they run. */
async function taskOf(session: SessionSettings, prompt: string, signal: AbortSignal): Promise<string> {
  if (!prompt.startsWith('/') || isServerPrompt(prompt)) return prompt;
  const [{openCommands}, {sessionSkills}] = await Promise.all([
    import('../../../sdk/tools/open-commands.ts'),
    import('../../../sdk/settings/session-skills.ts'),
  ]);
  const {skills} = await sessionSkills(session);
  return await openCommands({session, skills, serverPrompt: async (line) => line}).task(prompt, signal);
}

function isServerPrompt(prompt: string): boolean {
  return prompt.startsWith('/mcp__');
}

interface TypedRun {
  readonly task: string;
  /** It names a prompt of an MCP server. */
  readonly isForServer: boolean;
  /** What was piped in beside the prompt. */
  readonly input: string | undefined;
  readonly signal: AbortSignal;
}

/** The thread is closed in any case. */
async function runTask(io: Io, thread: OpenedThread, {task, isForServer, input, signal}: TypedRun): Promise<RunResult> {
  let result: RunResult | undefined;
  try {
    const text = isForServer ? await thread.commands.task(task, signal) : task;
    result = await thread.run(input === undefined ? text : `${text}\n\n${input}`, signal);
    return result;
  } finally {
    noteKept(io, await thread.close(result));
    for (const note of thread.lateNotes()) io.note(note);
  }
}

/** The answer on stdout; why there is none, or none to rely on, on stderr. */
function report(io: Io, result: RunResult, eventsOnly: boolean): void {
  // Own keys never: the output of such a run ends in the logs of others. What only looks like one may be what was asked for.
  const answer = createRedactor({shapes: false}).text(answerOf(result) ?? '');
  if (!eventsOnly && answer !== '') io.shown(`${answer}\n`);
  if (!eventsOnly) for (const line of describeEnding(result, io.paint)) io.note(line);
  if (result.outcome !== 'success') io.note(describeOutcome(result, io.paint));
}

/** Undefined where the run did not come to one. */
function answerOf({outcome, text}: RunResult): string | undefined {
  return outcome === 'success' || outcome === 'denied' ? text.trim() : undefined;
}

async function readSchema(file: string): Promise<Json> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new FettleError({code: 'USAGE', message: `${file} cannot be read.`, hint: 'Give the file of a JSON Schema.', cause});
  });
  const schema = parseJson(text);
  if (schema === undefined) throw new FettleError({code: 'USAGE', message: `${file} is no JSON.`, hint: 'Give the file of a JSON Schema.'});
  return schema;
}
