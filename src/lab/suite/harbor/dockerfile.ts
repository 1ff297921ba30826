/** One instruction of a Dockerfile. */
export interface DockerInstruction {
  /** 1-based, where it begins. */
  readonly line: number;
  /** In capitals: `RUN`. */
  readonly name: string;
  /** The rest, with continued lines joined by a space and comments between them left out. */
  readonly text: string;
}

/**
 * Parses a Dockerfile into its instructions (Dockerfile reference › Format). Here-documents, and a parser directive for another escape
 * character, are not understood: the instruction that begins there has the name `UNKNOWN`.
 */
export function parseDockerfile(source: string): readonly DockerInstruction[] {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const found: DockerInstruction[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const first = lines[index] ?? '';
    if (/^\s*#\s*escape\s*=\s*[^\\\s]/i.test(first)) found.push({line: index + 1, name: 'UNKNOWN', text: first.trim()});
    if (isBlank(first)) continue;
    const line = index + 1;
    const parts = [first];
    while (/\\\s*$/.test(parts.at(-1) ?? '') && index + 1 < lines.length) {
      index += 1;
      const next = lines[index] ?? '';
      if (!isBlank(next)) parts.push(next);
    }
    found.push(toInstruction(line, parts));
  }
  return found;
}

/** Comments and empty lines may stand between the lines of one instruction. */
function isBlank(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line);
}

function toInstruction(line: number, parts: readonly string[]): DockerInstruction {
  const whole = parts.map((part) => part.replace(/\\\s*$/, '').trim()).join(' ');
  const [, name = '', text = ''] = /^(\S+)\s*([^]*)$/.exec(whole.trim()) ?? [];
  const isKnown = /^[A-Za-z]+$/.test(name) && !/<<-?\s*["']?\w/.test(text);
  return {line, name: isKnown ? name.toUpperCase() : 'UNKNOWN', text: isKnown ? text.trim() : whole.trim()};
}
