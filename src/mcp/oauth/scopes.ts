/** Each scope of the lists once, separated by spaces (RFC 6749 section 3.3); undefined if there is none. */
export function scopeUnion(...lists: readonly (string | undefined)[]): string | undefined {
  const all = new Set(lists.flatMap(scopesOf));
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** Returns the wanted scopes that were not granted. */
export function missingScopes(wanted: string | undefined, granted: string | undefined): string[] {
  const has = new Set(scopesOf(granted));
  return scopesOf(wanted).filter((scope) => !has.has(scope));
}

function scopesOf(list: string | undefined): string[] {
  return (list ?? '').split(' ').filter((scope) => scope !== '');
}
