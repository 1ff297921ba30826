import {visibleText} from '../../base/visible-text.ts';
import type {SubagentProfile} from './profile.ts';

/** Most characters of one description, and of the whole text. */
const MAX_EACH = 300;
const MAX_ALL = 4000;

/** Lists the configured subagents for the model: names and descriptions. Empty if there are none; it then knows the built-in ones. */
export function profilesPrompt(own: readonly SubagentProfile[]): string {
  if (own.length === 0) return '';
  let size = 0;
  const lines = own.map(({name, description}) => {
    const line = `- ${name}: ${cut(visibleText(description).replaceAll(/<(?=\/?agents)/gi, '&lt;'))}`;
    size += line.length;
    return size <= MAX_ALL ? line : `- ${name}`;
  });
  return ['Besides explore, worker and reviewer, the tools task and agents know these subagents:', '<agents>', ...lines, '</agents>'].join(
    '\n',
  );
}

function cut(text: string): string {
  return text.length <= MAX_EACH ? text : `${text.slice(0, MAX_EACH).toWellFormed()}…`;
}
