// A screen whose agent has a defect, for screen-crash.test.ts: what is sent throws where nobody catches it.
import {describeError} from '../../src/hosts/cli/output/describe-error.ts';
import {toFettleError} from '../../src/base/errors.ts';
import {runScreen} from '../../src/hosts/tui/run-screen.ts';

const [stateDir = ''] = process.argv.slice(2);
try {
  await runScreen({
    host: {
      appName: 'Broken',
      workspace: {name: 'w', root: '/w'},
      notifications: {notify: () => undefined, setFocused: () => undefined},
      themes: {available: [], active: 'auto'},
    },
    surface: 'inline',
    keyboard: {enabled: true, reportEventTypes: false, reportAlternateKeys: true},
    stateDir,
    env: process.env,
    open: async () => ({
      info: {},
      earlier: [],
      notes: ['ready to break'],
      submit: () => {
        setImmediate(() => {
          throw new TypeError('a defect');
        });
        return new Promise(() => undefined);
      },
      steer: () => undefined,
      commands: async () => [],
      command: async () => undefined,
      files: async () => [],
      shell: async () => ({output: '', exitCode: 0}),
      close: async () => [],
    }),
  });
} catch (thrown) {
  process.stderr.write(`${describeError(toFettleError(thrown), (_, text) => text)}\n`);
  process.exitCode = 1;
}
