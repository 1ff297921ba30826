import {describe, expect, it} from 'vitest';
import type {IsolationRules} from '../../../src/exec/sandbox/isolation.ts';
import {isolationArgs, type IsolationFacts} from '../../../src/exec/sandbox/linux/isolation-args.ts';
import {isolationProfile} from '../../../src/exec/sandbox/mac/isolation-profile.ts';

const rules: IsolationRules = {
  writable: ['/home/me/lab/scratch/1/tree'],
  hidden: ['/home/me/lab', '/home/me/.netrc', '/home/me/gone'],
  visible: ['/home/me/lab/cache', '/home/me/lab/gone'],
  shown: [
    {folder: '/home/me/lab/scratch/1/tree', at: '/app', writable: true},
    {folder: '/home/me/lab/scratch/1/tests', at: '/tests', writable: false},
  ],
  network: false,
  nested: false,
};
const facts: IsolationFacts = {
  root: [{path: '/usr'}, {path: '/bin', link: 'usr/bin'}, {path: '/home'}, {path: '/proc'}, {path: '/dev'}, {path: '/run'}],
  isFolder: (path) => (path.endsWith('gone') ? undefined : !path.endsWith('netrc')),
  resolver: '/run/systemd/resolve/stub-resolv.conf',
  place: {cwd: '/app', env: {}},
  isRoot: true,
  blankFile: '/blank',
  filterFd: 9,
};

describe('the arguments of bwrap for isolation', () => {
  it('bind the machine into an empty root, read-only, and hide, show and open folders, the outer ones first', () => {
    expect(isolationArgs(rules, facts).join(' ')).toMatchInlineSnapshot(
      `"--unshare-user --unshare-ipc --unshare-uts --unshare-pid --unshare-cgroup-try --unshare-net --die-with-parent --new-session --cap-drop ALL --hostname sandbox --tmpfs / --ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /home /home --perms 0755 --tmpfs /run --dev /dev --proc /proc --tmpfs /proc/1 --remount-ro /proc/1 --bind /home/me/lab/scratch/1/tree /app --ro-bind /home/me/lab/scratch/1/tests /tests --perms 0755 --tmpfs /home/me/lab --ro-bind /blank /home/me/.netrc --ro-bind /home/me/lab/cache /home/me/lab/cache --bind /home/me/lab/scratch/1/tree /home/me/lab/scratch/1/tree --remount-ro /run --remount-ro /home/me/lab --remount-ro / --chdir /app --seccomp 9 --"`,
    );
  });

  it('share processes and devices with the machine where sandboxes are opened inside', () => {
    expect(
      isolationArgs({...rules, nested: true, network: true, hidden: [], visible: [], shown: []}, facts).join(' '),
    ).toMatchInlineSnapshot(
      `"--unshare-user --unshare-ipc --unshare-uts --die-with-parent --new-session --cap-drop ALL --cap-add CAP_SETFCAP --hostname sandbox --tmpfs / --ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /home /home --ro-bind /run /run --dev-bind /dev /dev --dev-bind /proc /proc --perms 1777 --tmpfs /dev/shm --bind /home/me/lab/scratch/1/tree /home/me/lab/scratch/1/tree --remount-ro / --chdir /app --"`,
    );
  });

  it('show the resolver where there is a network, and ask the root user for no more than a map of itself', () => {
    expect(isolationArgs({...rules, network: true}, facts).join(' ')).toContain(
      '--ro-bind /run/systemd/resolve/stub-resolv.conf /run/systemd/resolve/stub-resolv.conf',
    );
    expect(isolationArgs({...rules, nested: true}, {...facts, isRoot: false})).not.toContain('--cap-add');
  });
});

describe('the profile of macOS for isolation', () => {
  it('hides, opens and quotes', () => {
    const text = isolationProfile({hidden: ['/lab "x"'], visible: ['/lab "x"/cache'], writable: ['/lab "x"/1/tree'], network: false});
    expect(text).toMatchInlineSnapshot(`
      "(version 1)
      (allow default)
      (deny mach-register)
      (deny appleevent-send)
      (deny process-info* (target others))
      (deny signal (target others))
      (allow signal (target same-sandbox))
      (deny file-read* file-write*
        (subpath "/lab \\"x\\"")
      )
      (deny file-write*)
      (allow file-read*
        (subpath "/lab \\"x\\"/cache")
        (subpath "/lab \\"x\\"/1/tree")
      )
      (allow file-write*
        (subpath "/lab \\"x\\"/1/tree")
        (subpath "/dev")
      )
      (deny network*)"
    `);
  });
});
