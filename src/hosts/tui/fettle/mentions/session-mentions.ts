import {createSearchEngine} from '../../../../search/create-engine.ts';
import type {Mentions} from '../../../../sdk/mentions/open-mentions.ts';
import type {AgentSession} from '../../host-adapter.ts';
import {createFindFiles} from './find-files.ts';
import {createFindMentions} from './find-mentions.ts';

/** Finds items that can be mentioned in the working folder: its files, lines of them, and those from `mentions`. */
export function sessionMentions(root: string, mentions: () => Mentions): AgentSession['files'] {
  return createFindMentions({files: createFindFiles(root), mentions, engine: createSearchEngine(), root});
}
