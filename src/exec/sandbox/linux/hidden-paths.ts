import {lstatSync, readdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';

interface Owner {
  /** Home folders, absolute. */
  readonly homes: readonly string[];
  /** Other folders with secrets: the logs and logins of Fettle. */
  readonly own: readonly string[];
  /** True if commands run as root: files that others may not read are then hidden, too. */
  readonly isRoot: boolean;
}

/** The files and folders that exist and that no command has to see: keys, logins, browsers, histories. Real paths. */
export function hiddenPlaces({homes, own, isRoot}: Owner): string[] {
  const all = isRoot ? [...homes, ...below('/home')] : homes;
  const named = [
    ...[...new Set(all)].flatMap((home) => IN_HOME.map((name) => join(home, name))),
    ...own,
    ...(isRoot ? [...OF_SYSTEM, ...below('/etc/ssh').filter((path) => path.endsWith('_key'))] : []),
  ];
  return [...new Set(named.flatMap(realPathOf))];
}

const IN_HOME = `
  .ssh .gnupg .aws .azure .kube .docker .gcloud .oci .password-store .netrc .npmrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials
  .vault-token .s3cfg .boto .databrickscfg .terraform.d .terraformrc .kaggle .fly .heroku .authinfo .authinfo.gpg .dockercfg .yarnrc.yml
  .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties
  .config/gh .config/hub .config/glab-cli .config/gcloud .config/rclone .config/op .config/doctl .config/git/credentials .config/sops
  .config/github-copilot .config/google-chrome .config/chromium .config/BraveSoftware .config/Signal .config/Slack .mozilla .thunderbird
  .local/share/keyrings .local/share/kwalletd .local/share/opencode .pki
  .claude/.credentials.json .claude.json .codex .gemini .qwen .vibe .continue .cursor .cache/huggingface/token .huggingface/token
  .bash_history .zsh_history .sh_history .python_history .node_repl_history .psql_history .mysql_history .lesshst .wget-hsts .viminfo
  .zhistory .local/share/fish/fish_history .sqlite_history .duckdb_history .rediscli_history .irb_history .mongodb .config/Code .config/Cursor
  .config/discord .config/containers .config/hcloud .config/configstore .config/netlify .config/goose .local/share/goose .pulumi .supabase
  .mcp-auth .config/fish/fish_variables .local/share/com.vercel.cli .claude/projects .claude/history.jsonl
  .bitcoin .ethereum .electrum .Xauthority .ICEauthority
  Library/Keychains Library/Cookies Library/Messages Library/Mail Library/Safari
`
  .trim()
  .split(/\s+/);

const OF_SYSTEM = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/ssl/private', '/etc/sudoers'];

function below(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function realPathOf(path: string): string[] {
  try {
    const real = realpathSync(path);
    const kind = lstatSync(real);
    return kind.isFile() || kind.isDirectory() ? [real] : [];
  } catch {
    return [];
  }
}
