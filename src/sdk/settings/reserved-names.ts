/**
 * Names that must not be created in the root of a workspace while commands run in a sandbox: other programs start or load them as soon as they
 * exist (editors, agents, shells, package managers; CVE-2026-25725). A folder ends with a slash. `.git` is protected by the sandbox itself;
 * other protected names are read-only if they exist. Each name costs a mount, about a millisecond per command.
 */
export const RESERVED_NAMES: readonly string[] = `
  .fettle/ .husky/ .vscode/ .idea/ .zed/ .devcontainer/ .agents/ .claude/ .codex/ .cursor/ .gemini/ .github/workflows/ .cargo/
  .mcp.json .envrc .npmrc .yarnrc.yml .pnpmfile.cjs bunfig.toml .mise.toml AGENTS.md CLAUDE.md GEMINI.md
`
  .trim()
  .split(/\s+/);
