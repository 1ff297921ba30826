import {join} from 'node:path';
import {visibleText} from '../../base/visible-text.ts';
import {readItem} from '../../config/trust/read-item.ts';
import {isToolFile, type TrustItem} from '../../config/trust/trust-item.ts';
import type {ToolPlace} from '../../tools/custom/find-tool-files.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

export interface ProjectTools {
  readonly places: readonly ToolPlace[];
  readonly notices: readonly string[];
  /** Checks again after the files were loaded. Returns a line if one of them no longer has the trusted content. */
  changed(): Promise<string | undefined>;
}

/**
 * Returns the tools of a trusted project: exactly the files that were digested. Node reads them itself when they are loaded, so
 * they are digested again right before and right after.
 */
export async function projectTools({trust, trusted}: Pick<SessionSettings, 'trust' | 'trusted'>): Promise<ProjectTools> {
  const parts = trusted ? trust.items.filter(({kind}) => kind === 'tool') : [];
  const files = parts.filter(({path}) => isToolFile(path));
  if (files.length === 0) return NONE;
  const look = async (): Promise<string | undefined> => {
    const other = (await Promise.all(parts.map(async (item) => await isOther(trust.root, item)))).indexOf(true);
    return other < 0
      ? undefined
      : `${visibleText(join(trust.root, parts[other]?.path ?? ''))}: changed while it was loaded: no tool of a file is used`;
  };
  const changed = await look();
  if (changed !== undefined) return {...NONE, notices: [changed]};
  return {
    places: files.map(({path}) => ({path: join(trust.root, path), from: 'the tools of the project', isExpected: true})),
    notices: [],
    changed: look,
  };
}

const NONE: ProjectTools = {places: [], notices: [], changed: async () => undefined};

/** Returns true if a file differs from its digest. */
export async function isOther(root: string, {path, kind, digest}: TrustItem): Promise<boolean> {
  const read = await readItem(root, path, kind);
  return 'problem' in read || read.item.digest !== digest;
}
