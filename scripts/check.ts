// Every static check, one after the other; says which failed and ends with 1 when any did.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const bin = (path: string): string => join(ROOT, 'node_modules', path);

const CHECKS: readonly (readonly [string, readonly string[]])[] = [
  ['types', [bin('typescript/bin/tsc'), '--noEmit', '-p', ROOT]],
  ['lint', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['format', [bin('oxfmt/bin/oxfmt'), '--check']],
  ['layers', [join(ROOT, 'scripts/check-layers.ts')]],
  ['rooms', [join(ROOT, 'scripts/check-rooms.ts')]],
  ['sizes', [join(ROOT, 'scripts/check-sizes.ts')]],
  ['words', [join(ROOT, 'scripts/check-words.ts')]],
  ['reference', [join(ROOT, 'scripts/generate-reference.ts'), '--check']],
  ['unused', [bin('knip/bin/knip.js')]],
];

const failed = CHECKS.filter(([name, argv]) => {
  const done = spawnSync(process.execPath, argv, {cwd: ROOT, encoding: 'utf8'});
  const ok = done.status === 0;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}`);
  if (!ok) console.log(`${done.stdout}${done.stderr}`.trimEnd());
  return !ok;
});
console.log(`${CHECKS.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
