// Loaded into a measured process with --import: writes what it used to the file BENCH_METER when it exits.
import {writeFileSync} from 'node:fs';

const file = process.env.BENCH_METER;
delete process.env.BENCH_METER;

process.on('exit', () => {
  const {maxRSS, userCPUTime, systemCPUTime} = process.resourceUsage();
  writeFileSync(file, JSON.stringify({peakKib: maxRSS, cpuMs: (userCPUTime + systemCPUTime) / 1000}));
});
