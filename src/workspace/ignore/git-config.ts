/** The settings of git that decide what is ignored. */
export interface GitIgnoreSettings {
  readonly excludesFile: string | undefined;
  readonly ignoreCase: boolean;
}

export interface GitSetting {
  /** Lower case section and name, the subsection unchanged: `core.excludesfile`, `includeif.gitdir:~/x.path`. */
  readonly key: string;
  readonly value: string;
}

/** Parses a git config file (git-config(1), "Syntax"). Broken lines are skipped; a name without `=` is `true`. */
export function parseGitConfig(text: string): GitSetting[] {
  const settings: GitSetting[] = [];
  let section = '';
  for (const line of logicalLines(text)) {
    const header = SECTION.exec(line);
    if (header !== null) section = sectionName(header);
    const setting = SETTING.exec(header === null ? line : line.slice(header[0].length));
    if (setting?.[1] === undefined || section === '') continue;
    settings.push({key: `${section}.${setting[1].toLowerCase()}`, value: setting[2] === undefined ? 'true' : unquote(setting[2])});
  }
  return settings;
}

const SECTION = /^\s*\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]/;
const SETTING = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/;

/** Splits lines, joining those that end in a backslash. */
function logicalLines(text: string): string[] {
  const joined = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/((?:^|[^\\])(?:\\\\)*)\\\n/g, '$1');
  return joined.split('\n').filter((line) => !/^\s*[#;]/.test(line));
}

function sectionName([, name = '', subsection]: RegExpExecArray): string {
  const lower = name.toLowerCase();
  return subsection === undefined ? lower : `${lower}.${subsection.replaceAll(/\\(.)/g, '$1')}`;
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', t: '\t', b: '\b'};

/** Removes quotes, resolves escapes, drops a comment and the blanks at the end outside of quotes. */
function unquote(raw: string): string {
  let value = '';
  let kept = 0;
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const char = raw.charAt(at);
    if (!quoted && (char === '#' || char === ';')) break;
    if (char === '"') quoted = !quoted;
    else if (char === '\\') value += ESCAPES[raw.charAt(++at)] ?? raw.charAt(at);
    else value += char;
    if (quoted || !/\s/.test(char)) kept = value.length;
  }
  return value.slice(0, kept);
}
