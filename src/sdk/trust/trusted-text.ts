import {trustItemText, type TrustItem} from '../../config/trust/trust-item.ts';
import {secretRead} from '../../policy/places/protected-paths.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** A text of the project as it was trusted. */
export type TrustedText = {readonly text: string} | {readonly problem: string} | undefined;

/**
 * Reads texts of a trusted project by their path from its root: the bytes that were shown, and files of other
 * folders if they are unchanged since. undefined: there is no such file. A problem: it exists, but is not
 * trusted as it is. Secrets are not read.
 */
export function trustedTexts({trust, trusted}: Pick<SessionSettings, 'trust' | 'trusted'>): (path: string) => Promise<TrustedText> {
  const {root, items, further = []} = trust;
  const TEXTS: readonly TrustItem['kind'][] = ['instructions', 'import', 'rule'];
  return async (path) => {
    if (secretRead(path) !== undefined || /(?:^|\/)\.git(?:\/|$)/.test(path)) return {problem: 'it holds secrets'};
    const item = items.find((one) => one.path === path && TEXTS.includes(one.kind));
    if (trusted && item !== undefined) return {text: trustItemText(item)};
    const {readItem} = await import('../../config/trust/read-item.ts');
    const read = await readItem(root, path, 'instructions');
    if ('problem' in read) return read.problem.endsWith('(ENOENT)') ? undefined : {problem: read.problem.slice(path.length + 2)};
    const text = trustItemText(read.item);
    // The sandbox of another session holds the place of a file that is not there with an empty one, as long as a command runs.
    if (text === '') return undefined;
    const isTrusted = trusted && further.some((one) => one.path === path && one.digest === read.item.digest);
    return isTrusted ? {text} : {problem: NOT_TRUSTED};
  };
}

const NOT_TRUSTED = 'nobody trusts it as it is; `fettle trust` shows it and asks';
