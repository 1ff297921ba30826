/**
 * Replaces what has the shape of a well-known secret by its kind. Works on finished exports: no pattern reaches across a quote, so that JSON
 * stays JSON. A net for accidents, not a promise: a secret without a shape passes.
 */
export function redactKeys(text: string): string {
  return KINDS.reduce((redacted, {kind, pattern}) => redacted.replaceAll(pattern, `[redacted ${kind}]`), text);
}

/** A key begins where no word goes on; in JSON text also behind an escaped newline, return or tab. */
const BEGIN = String.raw`(?<=^|[^A-Za-z0-9_-]|\\[nrt])`;

const KINDS = [
  {kind: 'private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\\\s]*-----END [A-Z ]*PRIVATE KEY-----/g},
  {kind: 'Anthropic key', pattern: keyPattern('sk-ant-[A-Za-z0-9_-]{20,}')},
  {kind: 'API key', pattern: keyPattern('sk-(?:proj-|or-v1-|svcacct-)?[A-Za-z0-9_-]{32,}')},
  {kind: 'GitHub token', pattern: keyPattern('(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})')},
  {kind: 'GitLab token', pattern: keyPattern('glpat-[A-Za-z0-9_-]{20,}')},
  {kind: 'AWS key id', pattern: keyPattern('(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])')},
  {kind: 'Google key', pattern: keyPattern('AIza[A-Za-z0-9_-]{35}')},
  {kind: 'Slack token', pattern: keyPattern('xox[abprs]-[A-Za-z0-9-]{20,}')},
  {kind: 'npm token', pattern: keyPattern('npm_[A-Za-z0-9]{36}')},
] as const;

function keyPattern(source: string): RegExp {
  return new RegExp(BEGIN + source, 'gm');
}
