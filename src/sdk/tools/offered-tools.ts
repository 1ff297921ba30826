import type {Settings} from '../../config/settings.ts';
import {withEditDialect, type OfferedDialect} from '../../tools/toolsets/edit-dialects.ts';
import type {Toolset} from '../../tools/toolset.ts';
import {assertCanChooseTools} from '../settings/auto-choices.ts';

/** The toolset that `auto` means without a thread, where nothing is chosen: the first candidate. Throws CONFIG if there is none. */
export function firstToolset(settings: Pick<Settings, 'toolset' | 'edit_dialect' | 'optimization'>): {
  readonly name: string;
  readonly notices: readonly string[];
} {
  assertCanChooseTools(settings);
  const [name = ''] = settings.optimization.toolsets;
  return {name, notices: [`toolset = "auto" is chosen when a session begins; here it is ${name}, the first candidate.`]};
}

/** Offers the edit tool of a dialect where it may be called; a notice says where it may not. */
export async function inDialect(
  toolset: Toolset,
  dialect: OfferedDialect,
): Promise<{readonly toolset: Toolset; readonly notices: readonly string[]}> {
  const offered = await withEditDialect(toolset, dialect);
  if (offered !== undefined) return {toolset: offered, notices: []};
  return {toolset, notices: [`edit_dialect = "${dialect}" has no effect: its tool is switched off, or ${toolset.name} has no edit tool.`]};
}
