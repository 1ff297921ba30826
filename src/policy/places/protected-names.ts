import {wordList} from '../word-list.ts';

/** Folders whose files another program runs or loads: version control and its hooks, editors, CI, agents, keys, package managers. */
export const AUTOLOADED_FOLDERS: ReadonlySet<string> = new Set(
  wordList(`
  .git .hg .svn .jj .sl .bzr .githooks .husky .lefthook
  .fettle .agent .agents .ai .aider .amazonq .augment .claude .cline .codeium .codex .continue .copilot .crush .cursor .factory .gemini .goose
  .junie .kilocode .kiro .mcp .openhands .opencode .pi .qodo .qwen .roo .tabnine .trae .vibe .void .warp .windsurf .zblade .vtcode
  .vscode .vscode-server .vs .idea .fleet .zed .nova .sublime .vim .nvim .devcontainer
  .circleci .buildkite .woodpecker .drone .gitlab .teamcity .tekton .semaphore
  .ssh .gnupg .aws .kube .docker .azure .gcloud .oci .password-store
  .cargo .direnv .mvn .yarn .bundle .mise
`),
);

/** Files of the same kind, by their whole name. */
export const AUTOLOADED_FILES: ReadonlySet<string> = new Set(
  wordList(`
  .gitmodules .gitattributes .gitconfig .gitlab-ci.yml .gitlab-ci.yaml .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml
  lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml .huskyrc .huskyrc.json .lintstagedrc .lintstagedrc.json .simple-git-hooks.json
  .overcommit.yml .hgrc
  jenkinsfile .travis.yml azure-pipelines.yml azure-pipelines.yaml .azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml .appveyor.yml
  .drone.yml .woodpecker.yml .cirrus.yml cloudbuild.yaml cloudbuild.yml codemagic.yaml codeowners
  .mcp.json mcp.json mcp_config.json .mcp-config.json claude_desktop_config.json .claude.json opencode.json opencode.jsonc .opencode.json
  crush.json .crush.json agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md copilot-instructions.md skill.md
  .cursorrules .windsurfrules .clinerules .roorules .roomodes .kilocodemodes .goosehints .rules .aider.conf.yml .aider.conf.yaml
  .cursorignore .cursorindexingignore .geminiignore .aiexclude .aiignore .codeiumignore .clineignore .rooignore .claudeignore
  .envrc .direnvrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js pnpmfile.cjs bunfig.toml .bunfig.toml .netrc .pypirc
  pip.conf .condarc .gemrc .curlrc .wgetrc .inputrc .ripgreprc .mise.toml mise.toml .tool-versions rust-toolchain rust-toolchain.toml .devcontainer.json .autoenv .terraformrc
  sitecustomize.py usercustomize.py .pdbrc .pythonrc .pythonrc.py .irbrc .pryrc .psqlrc .sqliterc .rprofile .gdbinit .lldbinit .dbxrc
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_env .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc
  .cshrc .tcshrc .login .logout .xinitrc .xprofile .xsession .xsessionrc .pam_environment .forward .procmailrc .mailcap .hushlogin
  .tmux.conf .screenrc .vimrc .gvimrc .nvimrc .nvim.lua .exrc .lvimrc .ideavimrc .emacs .emacs.el .dir-locals.el .dir-locals-2.el .nanorc
  .lesskey .lessfilter
`),
);

/** Files of the same kind, by the end of their name. */
export const AUTOLOADED_ENDINGS: readonly string[] = wordList('.code-workspace .sublime-project .sublime-workspace .desktop');

/** The names under which git runs a hook, wherever `core.hooksPath` points to. */
export const GIT_HOOKS: ReadonlySet<string> = new Set(
  wordList(`
  applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase
  post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout
  pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change
`),
);
