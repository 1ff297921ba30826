// Loaded into a measured process with --import: writes what it used to the file BENCH_METER when it exits.
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';

const file = process.env.BENCH_METER;
delete process.env.BENCH_METER;
let syncMs = 0;

for (const name of ['fsyncSync', 'fdatasyncSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    const began = performance.now();
    try {
      return original(...args);
    } finally {
      syncMs += performance.now() - began;
    }
  };
}
for (const name of ['fsync', 'fdatasync']) {
  const original = fs[name];
  fs[name] = (fd, done) => {
    const began = performance.now();
    original(fd, (error) => {
      syncMs += performance.now() - began;
      done(error);
    });
  };
}
syncBuiltinESMExports();
const handle = await fs.promises.open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['sync', 'datasync']) {
  const original = prototype[name];
  prototype[name] = async function () {
    const began = performance.now();
    try {
      return await original.call(this);
    } finally {
      syncMs += performance.now() - began;
    }
  };
}

process.on('exit', () => {
  const {maxRSS, userCPUTime, systemCPUTime} = process.resourceUsage();
  fs.writeFileSync(file, JSON.stringify({peakKib: maxRSS, cpuMs: (userCPUTime + systemCPUTime) / 1000, syncMs}));
});
