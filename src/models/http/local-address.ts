/** True if an address names this machine or a private network: a server there may take minutes to load a model, and can be asked about it. */
export function isLocalAddress(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return LOCAL_HOSTS.some((pattern) => pattern.test(host));
}

const LOCAL_HOSTS: readonly RegExp[] = [
  /^localhost$|\.(?:localhost|local|internal|lan|home\.arpa)$/,
  /^(?!.*:)[a-z0-9-]*[a-z][a-z0-9-]*$/, // a name without a domain: another container, another machine of the house
  /^127\.|^0\.0\.0\.0$/,
  /^10\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./, // RFC 1918, RFC 3927
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./, // RFC 6598
  /^::1?$|^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/, // RFC 4193, RFC 4291
  /^::ffff:7f/, // 127.0.0.0/8 in the form of IPv6
];
