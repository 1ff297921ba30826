import {createSearchEngine} from '../../../../search/create-engine.ts';
import type {Mentions} from '../../../../sdk/mentions/open-mentions.ts';
import type {AgentSession} from '../../host-adapter.ts';
import {createFindFiles} from './find-files.ts';
import {createFindMentions} from './find-mentions.ts';

/** Finds what can be mentioned in a folder that is worked in: its files, lines of them, and what `mentions` knows. */
export function sessionMentions(root: string, mentions: () => Mentions): AgentSession['files'] {
  return createFindMentions({files: createFindFiles(root), mentions, engine: createSearchEngine(), root});
}
