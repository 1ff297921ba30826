/**
 * Finds the first line of a test script that installs something or fetches it: without a container such a verification would fail for reasons
 * that say nothing about the agent. It reads no shell: a command in a comment does not count, one in a text may.
 */
export function installingLine(script: string): {readonly line: number; readonly text: string} | undefined {
  const lines = script.split('\n');
  const index = lines.findIndex((text) => !/^\s*#/.test(text) && INSTALLS.test(text));
  return index < 0 ? undefined : {line: index + 1, text: (lines[index] ?? '').trim().slice(0, 100)};
}

const INSTALLS =
  /(?:^|[\s;&|(])(?:(?:apt|apt-get|apk|yum|dnf|brew|conda|gem|cargo|go|pip3?|pipx|uv|npm|pnpm|yarn)\s+(?:\S+\s+){0,3}?(?:install|add|update|ci|sync)\b|(?:curl|wget|uvx|npx)\s|git\s+clone\b|uv\s+(?:pip|run|tool)\b)/;
