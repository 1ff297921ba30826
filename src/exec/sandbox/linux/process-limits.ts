import {release as kernelRelease} from 'node:os';

/** No core files, and none for a program outside, which 0 would not stop (core(5)). Inside it cannot be changed any more. */
export function outerLimits(prlimit: string | undefined): string[] {
  return prlimit === undefined ? [] : [prlimit, '--core=1', '--'];
}

/** No more processes than a build needs, counted for this sandbox alone, which Linux does since 5.14. */
export function innerLimits(prlimit: string | undefined): string[] {
  const [major = 0, minor = 0] = kernelRelease().split('.').map(Number);
  const isCountedApart = major > 5 || (major === 5 && minor >= 14);
  return prlimit === undefined || !isCountedApart ? [] : [prlimit, '--nproc=4096', '--'];
}
