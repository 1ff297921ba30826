export type FileRole = 'test' | 'config' | 'entry' | 'source';

/** What a file is for, by the names that its language or its tools give such files. */
export function fileRole(path: string): FileRole {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (TEST_FOLDER.test(path) || TEST_NAME.test(name)) return 'test';
  if (CONFIG_NAME.test(name)) return 'config';
  return ENTRY_NAME.test(name) || ENTRY_FOLDER.test(path) ? 'entry' : 'source';
}

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|testdata|e2e)\//;
const TEST_NAME = /(?:^test_|[._-](?:test|spec)\.|_test\.|Tests?\.(?:java|kt|cs|swift|scala)$)/;
const CONFIG_NAME =
  /^(?:package\.json|tsconfig.*\.json|jsconfig\.json|.*\.config\.(?:[cm]?[jt]s|json)|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|Gemfile|composer\.json|Package\.swift|build\.sbt|mix\.exs|CMakeLists\.txt|Makefile|Dockerfile|docker-compose.*\.ya?ml|compose\.ya?ml)$/;
const ENTRY_NAME =
  /^(?:main|cli|app|server|index|__main__|manage|wsgi|asgi|lib|mod|Program|Main|Application)\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|kts|c|cc|cpp|cs|rb|php|swift|scala|sh|lua|exs?)$/;
const ENTRY_FOLDER = /(?:^|\/)(?:bin|cmd)\/(?:[^/]+\/)?[^/]+$/;
