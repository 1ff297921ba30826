import {describe, expect, it} from 'vitest';
import {changedPrograms} from '../../../src/lab/rollout/container/first-programs.ts';

describe('the differences of a container', () => {
  it('with which a verification would begin are shells and the preload of the loader', () => {
    const diff =
      'C /etc\nA /etc/ld.so.preload\nC /usr/bin/bash\nA /usr/local/bin/sh\nD /bin/env\nA /app/bin/bash\nA /usr/bin/python3\nC /usr/bin/bashbug\n';
    expect(changedPrograms(diff)).toEqual([
      {path: '/etc/ld.so.preload', isNew: true},
      {path: '/usr/bin/bash', isNew: false},
      {path: '/usr/local/bin/sh', isNew: true},
      {path: '/bin/env', isNew: false},
    ]);
  });
});
