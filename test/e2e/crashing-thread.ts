import {isFettleError} from '../../src/base/errors.ts';
import {loadSettings, withModel} from '../../src/sdk/settings/load-settings.ts';
import {openThread, type OpenedThread} from '../../src/sdk/thread/open-thread.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';

/**
 * A process that is killed by SIGKILL right after an event was logged: `<type>`, `<type>:<detail>`, of a subagent behind `agent.event:`.
 * Run by tests: `node crashing-thread.ts '{"cwd": …, "home": …, "url": …}'`.
 */
export interface CrashOrder {
  readonly cwd: string;
  readonly home: string;
  readonly url: string;
  /** undefined: it comes to its end. */
  readonly killAt?: string;
  readonly resume?: boolean;
  readonly prompt: string;
  /** Submitted when the first call runs; on resuming at once: whoever submitted them cannot know. */
  readonly steer?: string;
  readonly followUp?: string;
  /** Submitted behind these, in this order; what is refused is named on stdout. */
  readonly inputs?: readonly {readonly id: string; readonly kind: 'steer' | 'follow_up'; readonly text: string}[];
}

/** The name of an event for `killAt`. */
export function nameOf(event: ThreadEvent): string {
  if (event.type === 'agent.event') return `agent.event:${nameOf(event.event as ThreadEvent)}`;
  if (event.type === 'agent.status') return `agent.status:${event.status}`;
  if (event.type === 'input.queued') return `input.queued:${event.kind}`;
  if (event.type === 'interjected') return `interjected:${event.source}`;
  if (event.type !== 'item.completed') return event.type;
  const {item} = event;
  return item.type === 'user_message' ? `user_message:${item.text}` : item.type;
}

async function main(order: CrashOrder): Promise<void> {
  const {cwd, home, url, killAt, prompt} = order;
  const env = {PATH: process.env['PATH'], FETTLE_HOME: home, FETTLE_MODEL: 'ollama/model', OLLAMA_BASE_URL: url};
  const session = withModel(await loadSettings({cwd, env, home, flags: {'--mode': 'full-auto', '--sandbox': 'off'}}));
  const {signal} = new AbortController();
  let submitted = false;
  const submit = (): void => {
    submitted = true;
    if (order.steer !== undefined) thread.steer(order.steer, 'inp_steer');
    if (order.followUp !== undefined) thread.followUp(order.followUp, 'inp_follow_up');
    for (const {id, kind, text} of order.inputs ?? []) {
      try {
        if (kind === 'steer') thread.steer(text, id);
        else thread.followUp(text, id);
      } catch (error) {
        if (!isFettleError(error) || error.code !== 'LIMIT') throw error;
        process.stdout.write(`${id}\n`);
      }
    }
  };
  const thread: OpenedThread = await openThread(
    {
      session,
      resume: order.resume === true ? 'latest' : undefined,
      onEvent(event) {
        if (nameOf(event) === killAt) process.kill(process.pid, 'SIGKILL');
        if (!submitted && event.type === 'item.started' && event.item.type === 'tool_invocation') submit();
      },
    },
    signal,
  );
  if (order.resume === true) submit();
  const result = await thread.run(thread.waiting() > 0 ? undefined : prompt, signal);
  await thread.close(result);
}

if (process.argv[2] !== undefined && import.meta.main) await main(JSON.parse(process.argv[2]) as CrashOrder);
