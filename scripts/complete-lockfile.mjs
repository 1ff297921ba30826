// After `npm install` against a registry mirror that lacks builds for other platforms: puts those optional packages back into
// package-lock.json. npm leaves them out there, and `npm ci` then refuses the lockfile. None of them is fetched on a platform it is not for.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const FILE = join(import.meta.dirname, '../package-lock.json');
const OS = /(?:^|-)(android|darwin|freebsd|linux|openharmony|win32|wasm32|aix|netbsd|openbsd|sunos)(?:-|$)/;
const CPU = /(?:^|-)(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el|wasm32)(?:-|$)/;

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
let added = 0;
for (const [place, entry] of Object.entries(lock.packages)) {
  if (place === '') continue;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const platform = name.split('/').at(-1);
    const os = OS.exec(platform)?.[1];
    const cpu = CPU.exec(platform)?.[1];
    if (lock.packages[`node_modules/${name}`] !== undefined || os === undefined || cpu === undefined || !/^\d/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = {version, cpu: [cpu], dev: true, optional: true, os: [os]};
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms added`);
