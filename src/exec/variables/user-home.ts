import {userInfo} from 'node:os';
import {isAbsolute} from 'node:path';

/**
 * The home folder of the user, absolute: `HOME`, else the one in the system's list of users, else the root. In many containers the user has
 * neither; a relative `HOME` would be another folder after each `cd`, perhaps one of a hostile repository.
 */
export function userHome({HOME}: Readonly<Record<string, string | undefined>>): string {
  return HOME !== undefined && isAbsolute(HOME) ? HOME : (listedHome() ?? '/');
}

/** The home folder in the system's list of users; undefined for a user without an entry. */
export function listedHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
