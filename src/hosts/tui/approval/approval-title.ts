import {visibleText} from '../../../base/visible-text.ts';
import type {ApprovalQuestion} from '../host-adapter.ts';
import {TOOL_KINDS} from '../calls/tool-kinds.ts';

/** `Allow this command?`, `Allow this edit?`, and for an unknown tool `Allow mcp__tracker__create?`. */
export function approvalTitle({tool, agent}: Pick<ApprovalQuestion, 'tool' | 'agent'>): string {
  const kind = TOOL_KINDS.get(tool);
  const what = (kind === undefined ? undefined : WORDS.get(kind.verb)) ?? visibleText(tool).replaceAll('\n', ' ');
  return agent === undefined ? `Allow ${what}?` : `${visibleText(agent)} asks: allow ${what}?`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['Run', 'this command'],
  ['Start', 'this command'],
  ['Edit', 'this edit'],
  ['Write', 'this file to be written'],
  ['Delete', 'this to be deleted'],
  ['Move', 'this to be moved'],
  ['Copy', 'this to be copied'],
  ['Read', 'this to be read'],
  ['List', 'this to be read'],
  ['Search', 'this to be searched'],
  ['Find', 'this to be searched'],
  ['Fetch', 'this page to be fetched'],
  ['Search the web', 'this search of the web'],
  ['Delegate', 'this subagent'],
  ['Use skill', 'this skill'],
]);
