/**
 * True for a command line that checks the work: tests, types, lint, a build. Only a hint for the memory of a
 * session, so a list of words is enough: a check that it misses is not remembered as one, and no decision
 * depends on it.
 */
export function isCheckCommand(line: string): boolean {
  return CHECKS.test(line);
}

/**
 * True for a line that certainly changes no file: earlier passed checks still count. A cautious hint, too: an
 * unknown command may have changed something.
 */
export function inspectsOnly(line: string): boolean {
  const plain = line.replaceAll(/\d*>&\d|\d*>\s*\/dev\/null/g, '');
  return !/[>`]|\$\(|<\(/.test(plain) && plain.split(/[;&|\n]+/).every((part) => part.trim() === '' || LOOKS.test(part.trim()));
}

const LOOKS =
  /^(?:(?:ls|cat|head|tail|wc|grep|rg|pwd|cd|echo|stat|file|du|df|which|whoami|date|true|sleep|jq|cut|nl|sed\s+-n)(?:\s|$)|find\s(?!.*-(?:delete|exec|ok|fprint|fls))|git\s+(?:status|diff|log|show|blame|grep|ls-files|rev-parse)(?:\s|$))/;

const CHECKS = new RegExp(
  String.raw`(?:^|[;&|(])\s*(?:\w+=\S+\s+)*(?:` +
    [
      String.raw`(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|check|lint|build|typecheck|tsc)\b`,
      String.raw`cargo\s+(?:\+\S+\s+)?(?:test|nextest|check|clippy|build)\b`,
      String.raw`go\s+(?:test|vet|build)\b`,
      String.raw`(?:python3?\s+-m\s+)?(?:pytest|unittest|mypy|ruff|tox|nox)\b`,
      String.raw`(?:npx\s+|pnpm\s+exec\s+)?(?:vitest|jest|mocha|tsc|eslint|oxlint|biome|playwright)\b`,
      String.raw`make\s+(?:test|check|lint|build|all)\b`,
      String.raw`(?:mvn|\.?/?mvnw|gradle|\.?/?gradlew)\s+\S*(?:test|check|verify|build)`,
      String.raw`(?:bundle\s+exec\s+)?(?:rspec|rubocop|rake\s+test)\b`,
      String.raw`dotnet\s+(?:test|build)\b`,
      String.raw`(?:composer\s+test|phpunit|swift\s+(?:test|build)|mix\s+test|node\s+--test|deno\s+(?:test|check|lint)|ctest)\b`,
    ].join('|') +
    ')',
);
