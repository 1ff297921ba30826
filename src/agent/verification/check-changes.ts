import type {ThreadCompleted} from '../../protocol/events.ts';
import type {NamedFile} from './check-files.ts';
import {checkRole, matchesStars} from './check-roles.ts';

/** A path of the workspace that a run has changed. */
export interface ChangedPath {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
}

export type CheckChange = NonNullable<ThreadCompleted['check_changes']>[number];

/**
 * Returns the changes that a person has to look at before they believe a check: files that the check names, and tests and configurations by
 * their names. New tests are ordinary work; a new configuration is not, for it can change what every test proves.
 */
export function checkChanges(changed: readonly ChangedPath[], named: readonly NamedFile[]): readonly CheckChange[] {
  const exact = new Map(named.map((file) => [file.path, file]));
  const wide = named.filter(({path, withContent}) => withContent || path.includes('*'));
  return changed.flatMap(({path, change}) => {
    const byName = exact.get(path) ?? wide.find((file) => covers(file, path));
    if (byName !== undefined && (change !== 'created' || byName.whenCreated)) return [{path, change, reason: byName.reason}];
    const role = checkRole(path);
    return role === undefined || (change === 'created' && !role.steers) ? [] : [{path, change, reason: role.role}];
  });
}

function covers({path, withContent}: NamedFile, changed: string): boolean {
  return (withContent && changed.startsWith(`${path}/`)) || (path.includes('*') && matchesStars(path.replaceAll(/\*+/g, '*'), changed));
}
