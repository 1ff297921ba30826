import type {Toolset} from '../../toolset.ts';
import {COMMAND_TOOLS} from './blade-command.ts';
import {COMPOSITE_TOOLS} from './blade-composite.ts';
import {EDITOR_TOOLS} from './blade-editor.ts';
import {EDIT_TOOLS} from './blade-edits.ts';
import {FILE_TOOLS} from './blade-files.ts';
import {SEARCH_TOOLS} from './blade-search.ts';
import {INDEX_TOOLS} from './blade-symbols.ts';
import {shortenBlade} from './blade-truncate.ts';

/** The 37 tools of "zblade tool calls": its names, parameters, limits and texts. All paths must be in the workspace. */
export const blade: Toolset = {
  name: 'blade',
  tools: [...FILE_TOOLS, ...EDIT_TOOLS, ...SEARCH_TOOLS, ...EDITOR_TOOLS, ...INDEX_TOOLS, ...COMPOSITE_TOOLS, ...COMMAND_TOOLS].map(
    (tool) => ({...tool, pathScope: 'inside'}),
  ),
  renderError: ({message, hint}) => (hint === undefined ? `tool_error: ${message}` : `tool_error: ${message}\n${hint}`),
  // "Max size: 50 KB", "Max lines: 2000".
  outputBound: {maxBytes: 50 * 1024, maxLines: 2000, shorten: shortenBlade},
  asksForReads: true,
  accepts: () => true,
};
