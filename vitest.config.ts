import {defineConfig} from 'vitest/config';

/** What runs whole programs, or suites that others wrote: slower, and some of it needs the build. */
const WHOLE = [
  'test/e2e/**/*.test.ts',
  'test/acceptance/**/*.test.ts',
  'test/conformance/**/*.test.ts',
  'test/parity/golden.test.ts',
  'test/fuzz/**/*.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {test: {name: 'unit', include: ['test/**/*.test.ts'], exclude: WHOLE, testTimeout: 20_000}},
      {test: {name: 'whole', include: WHOLE, testTimeout: 60_000}},
    ],
  },
});
