import {buildFacts} from './build-facts.ts';
import {ciFacts} from './ci-facts.ts';
import {factFiles, type FactFiles, type NamedCommand} from './fact-files.ts';
import {layoutOf} from './layout.ts';
import {nodeFacts} from './node-facts.ts';
import {pythonFacts} from './python-facts.ts';

/**
 * Writes an AGENTS.md for a project, from its own files: commands that exist, layout, conventions. Returns
 * undefined if there is nothing to say. Only names and commands of known forms are used; no sentence is copied
 * from a file, because agents would follow it.
 */
export async function agentsMd(root: string): Promise<string | undefined> {
  const files = factFiles(root);
  const names = await files.names('');
  const found = await Promise.all([nodeFacts(files, names), pythonFacts(files, names), buildFacts(files, names), ciFacts(files)]);
  const [layout, commitStyle] = [await layoutOf(root), await commitStyleOf(files, names)];
  const sections = [
    section(
      'Commands',
      once(found.flatMap(({commands}) => commands)).map(({what, command}) => `${what}: \`${command}\``),
    ),
    section(
      'Layout',
      layout.map(({path, holds}) => `\`${path}\` ${holds}`),
    ),
    section('Conventions', [...found.flatMap(({conventions}) => conventions), ...commitStyle]),
  ].filter((text) => text !== '');
  return sections.length === 0 ? undefined : `${[HEAD, ...sections].join('\n\n')}\n`;
}

const HEAD = `# Working on this project

<!-- Written by \`fettle init\` from the files of the project. Correct it, and add what an agent cannot see: it is followed. -->`;

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** The same command from two files is one. */
function once(commands: readonly NamedCommand[]): NamedCommand[] {
  return commands.filter(({command}, at) => commands.findIndex((other) => other.command === command) === at);
}

/** Formatters and linters, by their files; indentation, where .editorconfig says it for everything. */
async function commitStyleOf(files: FactFiles, names: readonly string[]): Promise<string[]> {
  const tools = TOOLS.flatMap(([sign, name]) => {
    const file = names.find((one) => sign.test(one));
    return file === undefined ? [] : [`${name} (${file}).`];
  });
  const editor = names.includes('.editorconfig') ? await files.text('.editorconfig') : undefined;
  return [...tools, ...(editor === undefined ? [] : indentation(editor))];
}

const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+)$/, 'Formatted with Prettier'],
  [/^biome\.jsonc?$/, 'Formatted and linted with Biome'],
  [/^(?:eslint\.config\.\w+|\.eslintrc(?:\.\w+)?)$/, 'Linted with ESLint'],
  [/^\.oxlintrc\.json$/, 'Linted with oxlint'],
  [/^\.?rustfmt\.toml$/, 'Formatted with rustfmt'],
  [/^\.clang-format$/, 'Formatted with clang-format'],
  [/^\.golangci\.ya?ml$/, 'Linted with golangci-lint'],
  [/^\.rubocop\.yml$/, 'Linted with RuboCop'],
  [/^\.pre-commit-config\.yaml$/, 'Checked before commits with pre-commit'],
];

function indentation(text: string): string[] {
  const general = /^\[\*\]\s*$([^[]*)/m.exec(text)?.[1] ?? '';
  const style = /^\s*indent_style\s*=\s*(tab|space)\s*$/im.exec(general)?.[1];
  const size = /^\s*indent_size\s*=\s*(\d{1,2})\s*$/im.exec(general)?.[1];
  if (style?.toLowerCase() === 'tab') return ['Indented with tabs (.editorconfig).'];
  return style === undefined || size === undefined ? [] : [`Indented with ${size} spaces (.editorconfig).`];
}
