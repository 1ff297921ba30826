/**
 * Words that make a program print only its version or options, if nothing in the folder can select another program. Not here: cargo, rustc
 * (rust-toolchain.toml names a folder of programs), yarn (.yarnrc.yml names a script), pnpm (package.json names a version that is fetched), mvn,
 * gradle (JVM options of the project), bazel (tools/bazel), dotnet (global.json).
 */
export const VERSIONS: Readonly<Record<string, string>> = {
  // node(1), deno, bun; python(1), ruby(1), perl(1), php(1), lua(1), Rscript
  'node nodejs': '--version -v --help -h',
  'deno bun': '--version -V -v --help',
  'python python2 python3 pypy pypy3': '--version -V --help -h',
  'ruby perl php': '--version -v --help',
  'lua luajit': '-v',
  'R Rscript julia ghc elixir erl scala groovy': '--version',
  // java(1), javac(1)
  'java javac kotlin kotlinc': '-version --version -help --help',
  // npm(1), npx, pip, gem, uv, poetry, tsc, corepack
  'npm npx': '-v --version --help -h',
  'pip pip3 gem uv pipx conda': '--version -V --help',
  'tsc eslint prettier vite vitest jest': '--version -v --help',
  // gcc(1), clang(1), ld(1), make(1), cmake(1), ninja(1)
  'gcc g++ cc c++ clang clang++ gfortran ld': '--version --help',
  'make gmake cmake ninja meson autoconf pkg-config': '--version --help',
  // go(1), zig, docker(1), kubectl(1)
  'go zig': 'version help',
  'docker podman': '--version -v --help',
  'docker-compose': '--version -v version',
  'kubectl helm terraform gh aws gcloud az': '--version --help',
  // shells
  'bash zsh fish': '--version',
  // ssh(1), openssl(1), curl(1), wget(1), gpg(1)
  ssh: '-V',
  'curl wget gpg rsync': '--version -V --help',
  // psql(1), mysql(1), sqlite3(1), redis-cli(1), nginx(8)
  'psql mysql mariadb sqlite3 redis-cli redis-server mongosh': '--version -version -V --help',
  nginx: '-v',
  // editors and others
  'vim nvim emacs nano': '--version',
  code: '--version -v --help',
  'git hg svn jj': '--version --help',
  tmux: '-V',
  'jq yq rg fd fdfind ag bat batcat awk gawk sed grep tar ffmpeg convert strace gdb': '--version --help',
};
