import {isPlainName, type FactFiles, type Facts, type NamedCommand} from './fact-files.ts';

/** Reads facts from the build files of other languages: Cargo, Go, Make, just, Maven, Gradle, .NET, CMake, Bundler, Composer, Mix. */
export async function buildFacts(files: FactFiles, names: readonly string[]): Promise<Facts> {
  const known = KNOWN.filter(({sign}) => names.some((name) => sign.test(name)));
  const commands = known.flatMap(({commands: lines}) => lines.map(([what, command]): NamedCommand => ({what, command})));
  return {
    commands: [...commands, ...(await targets(files, names))],
    conventions: known.map(({says}) => says),
  };
}

interface KnownBuild {
  readonly sign: RegExp;
  readonly says: string;
  readonly commands: readonly (readonly [what: string, command: string])[];
}

const KNOWN: readonly KnownBuild[] = [
  {
    sign: /^Cargo\.toml$/,
    says: 'Rust, Cargo.',
    commands: [
      ['Test', 'cargo test'],
      ['Lint', 'cargo clippy --all-targets'],
      ['Build', 'cargo build'],
      ['Format', 'cargo fmt'],
    ],
  },
  {
    sign: /^go\.mod$/,
    says: 'Go modules.',
    commands: [
      ['Test', 'go test ./...'],
      ['Lint', 'go vet ./...'],
      ['Build', 'go build ./...'],
      ['Format', 'gofmt -w .'],
    ],
  },
  {sign: /^mvnw$/, says: 'Java, Maven (wrapper).', commands: [['Test', './mvnw test']]},
  {
    sign: /^gradlew$/,
    says: 'Gradle (wrapper).',
    commands: [
      ['Test', './gradlew test'],
      ['Build', './gradlew build'],
    ],
  },
  {
    sign: /\.(?:sln|slnx|csproj|fsproj)$/,
    says: '.NET.',
    commands: [
      ['Test', 'dotnet test'],
      ['Build', 'dotnet build'],
    ],
  },
  {
    sign: /^CMakeLists\.txt$/,
    says: 'CMake.',
    commands: [
      ['Build', 'cmake -B build && cmake --build build'],
      ['Test', 'ctest --test-dir build'],
    ],
  },
  {sign: /^Gemfile$/, says: 'Ruby, Bundler.', commands: [['Install', 'bundle install']]},
  {sign: /^composer\.json$/, says: 'PHP, Composer.', commands: [['Install', 'composer install']]},
  {
    sign: /^mix\.exs$/,
    says: 'Elixir, Mix.',
    commands: [
      ['Test', 'mix test'],
      ['Format', 'mix format'],
    ],
  },
  {
    sign: /^Package\.swift$/,
    says: 'Swift package.',
    commands: [
      ['Test', 'swift test'],
      ['Build', 'swift build'],
    ],
  },
];

/** Targets of a Makefile or justfile that people type. */
async function targets(files: FactFiles, names: readonly string[]): Promise<NamedCommand[]> {
  const make = names.find((name) => /^(?:GNUmakefile|[Mm]akefile)$/.test(name));
  const just = names.find((name) => /^\.?justfile$/i.test(name));
  const [ofMake, ofJust] = await Promise.all([make === undefined ? '' : files.text(make), just === undefined ? '' : files.text(just)]);
  return [...inFile(ofMake, 'make'), ...inFile(ofJust, 'just')];
}

function inFile(text: string | undefined, program: string): NamedCommand[] {
  const found = [...(text ?? '').matchAll(/^([A-Za-z][\w-]*)(?:[ \t][^:=\n]*)?:{1,2}(?![:=])/gm)].map(([, name = '']) => name);
  return [...new Set(found)]
    .filter((name) => WORTH.test(name) && isPlainName(name))
    .slice(0, MOST_TARGETS)
    .map((name) => ({what: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, command: `${program} ${name}`}));
}

const WORTH = /^(?:test|check|lint|build|fmt|format|typecheck|install|setup|run|dev|all|ci|bench|docs?)(?:[-_]\w+)*$/;
const MOST_TARGETS = 12;
