import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {describe, expect, it} from 'vitest';
import {identityOf, isOfThisBoot, lifeOf} from '../../../src/exec/process/process-identity.ts';

describe('the identity of a process', () => {
  it('is that of a living one, and of no other', async () => {
    const child = spawn('/bin/sleep', ['300']);
    await once(child, 'spawn');
    const identity = identityOf(child.pid ?? 0);
    if (identity === undefined) throw new Error('it has none');
    expect(identity).toEqual(identityOf(child.pid ?? 0));
    expect(lifeOf(identity)).toBe('alive');
    expect(lifeOf({...identity, start: `${identity.start}0`})).toBe('dead');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect([lifeOf(identity), identityOf(identity.pid)]).toEqual(['dead', undefined]);
  });

  it('does not outlive a restart, and says nothing in another namespace', () => {
    const own = identityOf(process.pid);
    if (own === undefined) throw new Error('it has none');
    expect([lifeOf({...own, boot: 'another'}), isOfThisBoot({...own, boot: 'another'}), isOfThisBoot(own)]).toEqual(['dead', false, true]);
    expect(lifeOf({...own, space: 'another'})).toBe('unknown');
  });
});
