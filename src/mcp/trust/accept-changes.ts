import {escapeInvisible} from '../../base/escape-invisible.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {OneAtATime} from '../../tools/mutex.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import type {ServerChange} from './review-server.ts';
import type {Accepts} from '../connection/start-server.ts';

export interface AcceptanceOptions {
  readonly server: string;
  /** undefined: nobody is there, and nothing is accepted. */
  readonly askUser: AskUser | undefined;
  /** Servers start at the same time, a person is asked by one after the other. */
  readonly asking: OneAtATime;
}

/** Asks the person of a session; only a clear yes is one. */
export function acceptsByPerson({server, askUser, asking}: AcceptanceOptions, signal: AbortSignal): Accepts | undefined {
  if (askUser === undefined) return undefined;
  return (changes) =>
    asking(async () => {
      const question = `The MCP server ${server} is not as you accepted it.\n${changesText(changes)}`;
      const options = [
        {label: ACCEPT, description: 'I know why it has changed.'},
        {label: 'Leave it out', description: 'Go on without what has changed.'},
      ];
      const {answers, cancelled} = await askUser([{question, header: 'MCP server', options, multiSelect: false}], signal);
      return !cancelled && answers[0]?.answer === ACCEPT;
    });
}

const ACCEPT = 'Accept';
const MAX_CHARS = 20_000;

/** Describes the changes for a person at a terminal: nothing in it can steer that. */
export function changesText(changes: readonly ServerChange[]): string {
  const details = changes.map(({what, difference}) => `${explicit(what).replaceAll('\n', ' ')}:\n${indented(explicit(difference))}`);
  const text = details.join('\n');
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()}\n… ${text.length - MAX_CHARS} more characters`;
}

/** In full: `visibleText` would drop control sequences with their content, which a model would still read. */
function explicit(text: string): string {
  return visibleText(escapeInvisible(text).text);
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
