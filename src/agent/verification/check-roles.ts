/** The role of a file in checks, determined by its name alone. */
export interface CheckRole {
  /** For people: `test`, `test configuration`. */
  readonly role: string;
  /** A new file of this kind can change what existing checks prove; a new test cannot. */
  readonly steers: boolean;
}

/** Returns the role of a file of the workspace, or undefined for one that no check depends on by its name. */
export function checkRole(path: string): CheckRole | undefined {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  const row =
    ROWS.find(({names}) => names.some((pattern) => matchesStars(pattern, name))) ??
    ROWS.find(({folders}) => folders.some((folder) => isBelow(folder, segments)));
  return row === undefined ? undefined : {role: row.role, steers: row.steers};
}

/** Returns true if a text matches a pattern in which each `*` matches any characters. Linear: patterns of a project are not trusted. */
export function matchesStars(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === text;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

function isBelow(folder: string, segments: readonly string[]): boolean {
  const wanted = folder.split('/');
  const last = segments.length - wanted.length;
  return segments.some((_, at) => at < last && wanted.every((name, index) => segments[at + index] === name));
}

interface Row extends CheckRole {
  readonly names: readonly string[];
  readonly folders: readonly string[];
}

function row(role: string, steers: boolean, {names = '', folders = ''}: {readonly names?: string; readonly folders?: string}): Row {
  return {role, steers, names: words(names), folders: words(folders)};
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * Names that test runners, compilers and linters look for by default, from the documentation of each. The first row that fits counts, names
 * before folders.
 */
const ROWS: readonly Row[] = [
  row('test configuration', true, {
    names: `vitest.config.* vitest.workspace.* vitest.setup.* vite.config.* jest.config.* jest.setup.* jest-*.config.* setupTests.* karma.conf.*
      .mocharc* mocha.opts ava.config.* .ava* playwright.config.* playwright-*.config.* cypress.config.* cypress.json wdio.conf.* nightwatch.conf.*
      jasmine.json .nycrc* nyc.config.* .c8rc* .taprc conftest.py pytest.ini .pytest.ini tox.ini setup.cfg noxfile.py .coveragerc unittest.cfg
      phpunit.xml* phpunit.dist.xml codeception.yml .rspec .rspec-local .simplecov testng.xml nextest.toml tarpaulin.toml .testcaferc* stryker.conf*
      cucumber.js cucumber.yml behave.ini .bunfig.toml bunfig.toml codecov.yml .codecov.yml gotestsum.yml xunit.runner.json *.runsettings`,
  }),
  row('linter configuration', true, {
    names: `.eslintrc* eslint.config.* .eslintignore .oxlintrc* biome.json* .prettierrc* prettier.config.* .prettierignore .stylelintrc*
      stylelint.config.* tslint.json .flake8 .pylintrc pylintrc ruff.toml .ruff.toml mypy.ini .mypy.ini pyrightconfig.json .bandit .rubocop*.yml
      .golangci.* clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml .shellcheckrc phpstan.neon* psalm.xml* .php-cs-fixer* checkstyle.xml pmd.xml
      detekt.yml .swiftlint.yml .credo.exs .pre-commit-config.yaml lefthook.yml .lefthook.yml .lintstagedrc* commitlint.config.* knip.json
      .semgrep.yml .yamllint* .markdownlint* .hadolint.yaml .editorconfig`,
    folders: '.husky',
  }),
  row('compiler configuration', true, {
    names:
      'tsconfig*.json jsconfig*.json babel.config.* .babelrc* .swcrc webpack.config.* rollup.config.* esbuild.config.* tsup.config.* metro.config.*',
  }),
  row('project configuration', true, {
    names: `package.json pyproject.toml setup.py Pipfile Cargo.toml go.mod go.work pom.xml build.gradle* settings.gradle* gradle.properties
      gradlew gradlew.bat mvnw mvnw.cmd Gemfile *.gemspec mix.exs composer.json *.csproj *.fsproj *.vbproj *.sln *.slnx Directory.Build.* global.json
      *.cabal stack.yaml cabal.project build.sbt Package.swift deno.json* dune-project dune rebar.config project.clj deps.edn pubspec.yaml Project.toml
      pnpm-workspace.yaml lerna.json turbo.json nx.json project.json rush.json .npmrc .yarnrc* .pnpmfile.cjs .nvmrc .node-version .tool-versions
      .python-version rust-toolchain* .env .env.*`,
    folders: '.cargo .mvn',
  }),
  row('build file', true, {
    names: `Makefile makefile GNUmakefile *.mk *.mak justfile Justfile .justfile *.just Taskfile.y*ml taskfile.y*ml CMakeLists.txt *.cmake
      CMakePresets.json meson.build meson_options.txt BUILD BUILD.bazel WORKSPACE MODULE.bazel *.bzl .bazelrc build.xml SConstruct SConscript
      wscript Rakefile *.rake gulpfile.* Gruntfile.* Jakefile* build.zig configure.ac Makefile.am magefile.go Earthfile Dockerfile* docker-compose*.y*ml
      compose.y*ml`,
  }),
  row('CI configuration', true, {
    names: `.gitlab-ci.y*ml .travis.yml azure-pipelines.y*ml Jenkinsfile appveyor.yml .appveyor.yml .drone.yml bitbucket-pipelines.yml .cirrus.yml
      cloudbuild.yaml .woodpecker.yml`,
    folders: '.github/workflows .github/actions .circleci .buildkite .gitlab .ci .woodpecker',
  }),
  row('snapshot', false, {
    names: '*.snap *.snap.* *.ambr *.golden *.approved.* *.verified.*',
    folders: '__snapshots__ snapshots testdata golden',
  }),
  row('test', false, {
    names: `*.test.* *.tests.* *.spec.* *.specs.* *_test.* *_tests.* *_spec.* *-test.* *-spec.* test_*.* tests_*.* test-*.* test.* tests.* *.cy.* *.e2e.*
      *Test.java *Tests.java *IT.java *TestCase.java *Test.kt *Tests.kt *Spec.kt *Test.scala *Spec.scala *Suite.scala *Test.groovy *Spec.groovy
      *Test.cs *Tests.cs *Test.fs *Tests.fs *Test.php *Cest.php *Test.swift *Tests.swift *Test.cpp *Tests.cpp *Test.m *Spec.hs *Test.hs *_test.exs
      *.bats *.feature *.t test_helper.* spec_helper.rb rails_helper.rb runtests.* run-tests.* run_tests.*`,
    folders: 'test tests Test Tests __tests__ __test__ spec specs __mocks__ __fixtures__ e2e cypress playwright integration-tests',
  }),
];
