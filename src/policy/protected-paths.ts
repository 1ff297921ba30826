import {wordList} from './word-list.ts';

/**
 * Why a write to this path is asked in every mode: something runs it or obeys it later (CVE-2025-53773, -54135, -59944, 2026-25725).
 * Undefined for ordinary files. Names are compared as a careless file system would: case, invisible characters and final dots do not count.
 */
export function protectedWrite(path: string): string | undefined {
  const segments = segmentsOf(path);
  const folder = segments.find((segment) => FOLDERS.has(segment));
  if (folder !== undefined) return `${folder} is obeyed by another program`;
  const name = segments.at(-1) ?? '';
  if (FILES.has(name) || name.endsWith('.code-workspace')) return `${name} is obeyed by another program`;
  const whole = segments.join('/');
  if (/(?:^|\/)\.(?:github|forgejo|gitea)\/(?:workflows|actions)(?:\/|$)/.test(whole)) return 'the CI runs it with its secrets';
  if (/^\/dev\/(?:null|stdout|stderr)$/.test(whole)) return undefined;
  if (/^\/(?:etc|usr|bin|sbin|boot|lib\w*|opt|root\/\.\w+|proc|sys|dev|var\/spool)(?:\/|$)/.test(whole)) return 'it belongs to the system';
  if (/^(?:~|\/(?:home|users)\/[^/]+)\/(?:\.config|\.local|library)(?:\/|$)/.test(whole)) return 'it steers the programs of this person';
  return undefined;
}

/** Why a read of this path is asked in every mode but full-auto: a key, a password, another process. */
export function secretRead(path: string): string | undefined {
  const segments = segmentsOf(path);
  const folder = segments.find((segment) => SECRET_FOLDERS.has(segment));
  if (folder !== undefined) return `${folder} holds keys`;
  const name = segments.at(-1) ?? '';
  if (SECRET_FILES.has(name) || /^id_(?:rsa|dsa|ecdsa|ed25519)\w*$/.test(name)) return `${name} holds secrets`;
  const whole = segments.join('/');
  if (/^\/(?:proc|sys|dev)(?:\/|$)/.test(whole) && !/^\/dev\/null$/.test(whole)) return 'it is no file but a part of the running system';
  if (/^\/etc\/(?:g?shadow-?|sudoers|ssl\/private|ssh)/.test(whole)) return 'it is a secret of the system';
  if (/\/\.config\/(?:gh|gcloud|rclone|op|hub)(?:\/|$)|\/\.(?:docker|cargo)\/(?:config\.json|credentials)/.test(whole))
    return 'it holds keys';
  return undefined;
}

/** True for folders of the system that hold programs and their texts: reading there tells nothing about anybody. */
export function isPublicFolder(path: string): boolean {
  return /^\/(?:usr|bin|sbin|lib\w*|opt|nix\/store)(?:\/|$)|^\/dev\/null$/.test(path) && !path.includes('/../');
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/).map(plainName);
}

function plainName(segment: string): string {
  const plain = segment
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/, '');
  // `..` is no name with final dots.
  const bare = /^\.+$/.test(plain) ? plain : plain.replace(/[. ]+$/, '');
  return bare === 'git~1' ? '.git' : bare;
}

const FOLDERS: ReadonlySet<string> = new Set(
  wordList(`
  .git .fettle .husky .vscode .idea .zed .devcontainer .circleci .buildkite .agent .agents .claude .codex .cursor .gemini .vibe .roo
  .cline .continue .windsurf .kiro .opencode .aider .goose .ssh .gnupg .aws .kube .docker .azure .cargo .direnv
`),
);

const FILES: ReadonlySet<string> = new Set(
  wordList(`
  .gitmodules .gitattributes .gitconfig .gitlab-ci.yml .pre-commit-config.yaml jenkinsfile .travis.yml azure-pipelines.yml .mcp.json
  mcp.json agents.md claude.md gemini.md .cursorrules .windsurfrules .clinerules .roorules .aider.conf.yml .envrc .npmrc .yarnrc
  .yarnrc.yml .pnpmfile.cjs .bunfig.toml .netrc .pypirc .curlrc .wgetrc .inputrc .ripgreprc .bashrc .bash_profile .bash_login
  .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .xinitrc .xprofile
  .tmux.conf .screenrc .vimrc .exrc .emacs .lldbinit .gdbinit
`),
);

const SECRET_FOLDERS: ReadonlySet<string> = new Set(wordList('.ssh .gnupg .aws .azure .kube .password-store'));
const SECRET_FILES: ReadonlySet<string> = new Set(
  wordList(`
  .netrc _netrc .pgpass .my.cnf .git-credentials .pypirc .vault-token .htpasswd .bash_history .zsh_history .python_history
  .node_repl_history
`),
);
