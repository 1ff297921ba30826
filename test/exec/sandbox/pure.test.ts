import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isAllowedDomain, plainHost} from '../../../src/exec/sandbox/network/allowed-domain.ts';
import {bubblewrapArgs} from '../../../src/exec/sandbox/linux/bubblewrap-args.ts';
import {refusalHint} from '../../../src/exec/sandbox/sandbox-hint.ts';
import {seatbeltProfile} from '../../../src/exec/sandbox/mac/seatbelt-profile.ts';
import {seccompFilter} from '../../../src/exec/sandbox/linux/seccomp-filter.ts';
import {readSocksRequest} from '../../../src/exec/sandbox/network/socks-proxy.ts';
import {protectedWrite} from '../../../src/policy/places/protected-paths.ts';
import {RESERVED_NAMES} from '../../../src/sdk/settings/reserved-names.ts';

const open = {open: false, domains: [], isPublic: () => true};

describe('allowed domains', () => {
  it.each<[string, readonly string[], boolean]>([
    ['example.com', [], false],
    ['example.com', ['example.com'], true],
    ['EXAMPLE.com.', ['example.COM'], true],
    ['a.example.com', ['example.com'], false],
    ['a.example.com', ['*.example.com'], true],
    ['a.b.example.com', ['*.example.com'], true],
    ['example.com', ['*.example.com'], false],
    ['.example.com', ['*.example.com'], false],
    ['evilexample.com', ['*.example.com'], false],
    ['example.com.evil.net', ['example.com', '*.example.com'], false],
    ['evil.net\0.example.com', ['*.example.com'], false],
    ['evil.net\n.example.com', ['*.example.com'], false],
    ['evil.net#.example.com', ['*.example.com'], false],
    ['evil.net/.example.com', ['*.example.com'], false],
    ['user@example.com', ['example.com'], false],
    ['127.0.0.1', ['*.0.0.1', 'localhost'], false],
    ['10.1.2.3', ['10.1.2.3'], true],
    ['[::1]', ['::1'], true],
    ['::1', ['*.1'], false],
    ['2130706433', ['2130706433'], false],
    ['0x7f.1', ['*.1'], false],
    ['127.1', ['127.1'], false],
    ['exаmple.com', ['example.com'], false],
    ['', ['', '*.'], false],
  ])('%j with %j: %s (CVE-2025-66479, CVE-2026-24052, SOCKS NUL)', (host, domains, allowed) => {
    expect(isAllowedDomain(host, domains)).toBe(allowed);
  });

  it('whatever is allowed below a domain ends with it, and is a host name (property)', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({unit: 'binary'}), fc.domain()), (text) => {
        const host = `${text}.example.com`;
        const name = plainHost(host);
        expect(isAllowedDomain(host, ['*.example.com'])).toBe(name !== undefined && /^[a-z\d_.-]+\.example\.com$/.test(name));
      }),
    );
  });
});

describe('SOCKS 5 (RFC 1928)', () => {
  const request = (kind: number, ...address: number[]): Buffer => Buffer.from([5, 1, 0, kind, ...address, 0x01, 0xbb]);

  it.each<[string, Buffer, unknown]>([
    ['an address', request(1, 10, 1, 2, 3), {command: 1, host: '10.1.2.3', port: 443, rest: Buffer.alloc(0)}],
    ['a name', request(3, 3, 0x61, 0x2e, 0x62), {command: 1, host: 'a.b', port: 443, rest: Buffer.alloc(0)}],
    ['a name with a NUL keeps it', request(3, 3, 0x61, 0, 0x62), {command: 1, host: 'a\0b', port: 443, rest: Buffer.alloc(0)}],
    ['IPv6', request(4, ...Array<number>(15).fill(0), 1), {command: 1, host: '0:0:0:0:0:0:0:1', port: 443, rest: Buffer.alloc(0)}],
    ['half of it', request(1, 10, 1, 2, 3).subarray(0, 7), 'more'],
    ['no name', request(3, 0), 'broken'],
    ['another version', Buffer.from([4, 1, 0, 80, 1, 2, 3, 4, 0]), 'broken'],
    ['another kind of address', request(2, 1, 2, 3, 4), 'broken'],
  ])('%s', (_, bytes, expected) => {
    expect(readSocksRequest(bytes)).toEqual(expected);
  });

  it('never throws, and never says `more` for what is long enough (property)', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 400}), (bytes) => {
        const read = readSocksRequest(Buffer.from(bytes));
        expect(read === 'more' && bytes.length > 262).toBe(false);
      }),
    );
  });
});

describe('the filter for system calls', () => {
  /** What the kernel would do (linux/filter.h), for the instructions that are used. */
  function verdict(arch: string, call: {audit: number; number: number; args?: readonly number[]}): string {
    const bytes = Buffer.from(seccompFilter(arch) ?? []);
    const data = Buffer.alloc(64);
    data.writeUInt32LE(call.number >>> 0, 0);
    data.writeUInt32LE(call.audit, 4);
    (call.args ?? []).forEach((value, index) => {
      data.writeUInt32LE(value >>> 0, 16 + 8 * index);
      data.writeUInt32LE(Math.floor(value / 2 ** 32), 20 + 8 * index);
    });
    let loaded = 0;
    for (let at = 0; at < bytes.length / 8; at += 1) {
      const [code, yes, no, value] = [
        bytes.readUInt16LE(at * 8),
        bytes[at * 8 + 2] ?? 0,
        bytes[at * 8 + 3] ?? 0,
        bytes.readUInt32LE(at * 8 + 4),
      ];
      if (code === 0x20) loaded = data.readUInt32LE(value);
      else if (code === 0x54) loaded = (loaded & value) >>> 0;
      else if (code === 0x15) at += loaded === value ? yes : no;
      else if (code === 0x35) at += loaded >= value ? yes : no;
      else if (code === 0x45) at += (loaded & value) !== 0 ? yes : no;
      else if (code === 0x06) return VERDICTS[value] ?? String(value);
      else throw new Error(`instruction ${code}`);
    }
    throw new Error('The program has no end.');
  }
  const VERDICTS: Readonly<Record<number, string>> = {0x7fff0000: 'allow', 0x80000000: 'kill', 0x00050001: 'EPERM', 0x00050026: 'ENOSYS'};

  const x64 = 0xc000003e;
  const arm64 = 0xc00000b7;
  it.each<[string, string, {audit: number; number: number; args?: readonly number[]}, string]>([
    ['x64', 'read', {audit: x64, number: 0}, 'allow'],
    ['x64', 'i386', {audit: 0x40000003, number: 0}, 'kill'],
    ['x64', 'x32', {audit: x64, number: 0x40000000 + 41, args: [1, 1]}, 'kill'],
    ['x64', 'socket unix', {audit: x64, number: 41, args: [1, 1]}, 'EPERM'],
    ['x64', 'socket inet', {audit: x64, number: 41, args: [2, 1]}, 'allow'],
    ['x64', 'socket inet6', {audit: x64, number: 41, args: [10, 1]}, 'allow'],
    ['x64', 'socket vsock', {audit: x64, number: 41, args: [40, 1]}, 'EPERM'],
    ['x64', 'socketpair stream, close-on-exec', {audit: x64, number: 53, args: [1, 0x80001]}, 'allow'],
    ['x64', 'socketpair datagram, close-on-exec', {audit: x64, number: 53, args: [1, 0x80002]}, 'EPERM'],
    ['x64', 'ioctl TIOCSTI', {audit: x64, number: 16, args: [0, 0x5412]}, 'EPERM'],
    ['x64', 'ioctl TCGETS', {audit: x64, number: 16, args: [0, 0x5401]}, 'allow'],
    ['x64', 'clone of a thread', {audit: x64, number: 56, args: [0x3d0f00]}, 'allow'],
    ['x64', 'clone with a user namespace', {audit: x64, number: 56, args: [0x10000011]}, 'EPERM'],
    ['x64', 'clone3', {audit: x64, number: 435}, 'ENOSYS'],
    ['x64', 'io_uring_setup', {audit: x64, number: 425}, 'ENOSYS'],
    ['x64', 'ptrace of the first process', {audit: x64, number: 101, args: [16, 1]}, 'EPERM'],
    ['x64', 'ptrace of another', {audit: x64, number: 101, args: [16, 2]}, 'allow'],
    ['x64', 'process_vm_writev to the first process', {audit: x64, number: 311, args: [1]}, 'EPERM'],
    ['x64', 'pidfd_open of the first process', {audit: x64, number: 434, args: [1]}, 'EPERM'],
    ['arm64', 'ptrace of the first process', {audit: arm64, number: 117, args: [16, 1]}, 'EPERM'],
    ['x64', 'chmod u+s', {audit: x64, number: 90, args: [0, 0o4755]}, 'EPERM'],
    ['x64', 'chmod g+s', {audit: x64, number: 90, args: [0, 0o2755]}, 'allow'],
    ['x64', 'fchmod u+s', {audit: x64, number: 91, args: [3, 0o4755]}, 'EPERM'],
    ['x64', 'fchmodat u+s', {audit: x64, number: 268, args: [3, 0, 0o4755]}, 'EPERM'],
    ['x64', 'fchmodat2 u+s', {audit: x64, number: 452, args: [3, 0, 0o4755]}, 'EPERM'],
    ['x64', 'setrlimit of core files', {audit: x64, number: 160, args: [4, 1]}, 'ENOSYS'],
    ['x64', 'setrlimit of open files', {audit: x64, number: 160, args: [7, 1]}, 'allow'],
    ['x64', 'prlimit of core files', {audit: x64, number: 302, args: [0, 4, 1]}, 'ENOSYS'],
    ['x64', 'prlimit of core files, far pointer', {audit: x64, number: 302, args: [0, 4, 2 ** 32]}, 'ENOSYS'],
    ['x64', 'prlimit that asks', {audit: x64, number: 302, args: [0, 4, 0]}, 'allow'],
    ['x64', 'prlimit of open files', {audit: x64, number: 302, args: [0, 7, 1]}, 'allow'],
    ['arm64', 'fchmodat u+s', {audit: arm64, number: 53, args: [3, 0, 0o4755]}, 'EPERM'],
    ['arm64', 'prlimit of core files', {audit: arm64, number: 261, args: [0, 4, 1]}, 'ENOSYS'],
    ['x64', 'keyctl', {audit: x64, number: 250}, 'EPERM'],
    ['x64', 'mount', {audit: x64, number: 165}, 'EPERM'],
    ['arm64', 'read', {audit: arm64, number: 63}, 'allow'],
    ['arm64', 'arm', {audit: 0x40000028, number: 0}, 'kill'],
    ['arm64', 'socket unix', {audit: arm64, number: 198, args: [1, 1]}, 'EPERM'],
    ['arm64', 'socket inet', {audit: arm64, number: 198, args: [2, 1]}, 'allow'],
    ['arm64', 'clone with a user namespace', {audit: arm64, number: 220, args: [0x10000011]}, 'EPERM'],
    ['arm64', 'mount', {audit: arm64, number: 40}, 'EPERM'],
    ['arm64', 'bpf', {audit: arm64, number: 280}, 'EPERM'],
  ])('%s: %s', (arch, _, call, expected) => {
    expect(verdict(arch, call)).toBe(expected);
  });

  it('is not made up for an architecture whose numbers are not known', () => {
    expect(seccompFilter('riscv64')).toBe(undefined);
  });
});

describe('the arguments of bwrap', () => {
  it('outer folders come first, of the same path the last one counts, the empty ones are closed in the end', () => {
    const args = bubblewrapArgs({
      mounts: [
        {path: '/w/.git/config', as: 'read-only'},
        {path: '/h/.ssh', as: 'empty'},
        {path: '/w', as: 'read-only'},
        {path: '/w', as: 'writable'},
        {path: '/tmp', as: 'scratch'},
        {path: '/h/.netrc', as: 'blank'},
      ],
      scratchDir: '/s',
      blankFile: '/b',
      place: {cwd: '/w', env: {}},
      ownNetwork: true,
      filterFd: 9,
    });
    expect(args.join(' ')).toMatchInlineSnapshot(
      `"--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --die-with-parent --cap-drop ALL --hostname sandbox --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /proc/1 --remount-ro /proc/1 --bind /w /w --bind /s /tmp --perms 0755 --tmpfs /h/.ssh --ro-bind /b /h/.netrc --ro-bind /w/.git/config /w/.git/config --remount-ro /h/.ssh --chdir /w --seccomp 9 --"`,
    );
  });
});

describe('the profile for sandbox-exec', () => {
  it('writes are allowed where it is said, and never what is protected or hidden', () => {
    const text = seatbeltProfile({
      root: '/Users/a/w "x"',
      profile: 'workspace-write',
      writable: ['/opt/cache'],
      hidden: ['/Users/a/.ssh'],
      visible: ['/Users/a/.local/state/fettle/spool'],
      locked: ['.git/hooks', '.mcp.json'],
      scratchDir: '/private/tmp/s',
      network: {...open, domains: ['example.com']},
      ports: [3128, 1080],
    });
    expect(text).toMatchInlineSnapshot(`
      "(version 1)
      (allow default)
      ;; other programs
      (deny mach-register)
      (deny appleevent-send)
      (deny mach-lookup (global-name "com.apple.securityd.xpc") (global-name "com.apple.SecurityServer") (global-name "com.apple.pasteboard.1"))
      (deny process-info* (target others))
      (deny signal (target others))
      (allow signal (target same-sandbox))
      ;; files
      (deny file-read* file-write*
        (subpath "/Users/a/.ssh")
      )
      (deny file-write*)
      (allow file-read*
        (subpath "/Users/a/w \\"x\\"")
        (subpath "/Users/a/.local/state/fettle/spool")
        (subpath "/private/tmp/s")
      )
      (allow file-write*
        (subpath "/Users/a/w \\"x\\"")
        (subpath "/opt/cache")
        (subpath "/private/tmp/s")
        (literal "/dev/null")
        (literal "/dev/zero")
        (literal "/dev/tty")
        (literal "/dev/stdout")
        (literal "/dev/stderr")
        (literal "/dev/ptmx")
        (literal "/dev/dtracehelper")
        (regex #"^/dev/ttys[0-9]+$")
      )
      (deny file-write*
        (subpath "/Users/a/w \\"x\\"/.git/hooks")
        (subpath "/Users/a/w \\"x\\"/.mcp.json")
      )
      (deny file-write-unlink
        (literal "/Users/a/w \\"x\\"/.git")
      )
      ;; network
      (deny network*)
      (allow network-outbound (remote ip "localhost:3128"))
      (allow network-outbound (remote ip "localhost:1080"))"
    `);
  });
});

describe('what the model is told', () => {
  const rules = {
    root: '/w',
    writable: [],
    hidden: [],
    visible: [],
    autoloaded: () => false,
    reserved: [],
    gitPrograms: () => [],
    stateDir: '/s',
  };
  it.each([
    ['workspace-write', open, 'touch: cannot touch "/etc/x": Read-only file system'],
    ['read-only', open, "EROFS: read-only file system, open 'x'"],
    ['workspace-write', open, 'curl: (6) Could not resolve host: example.com'],
    ['workspace-write', {...open, domains: ['example.com']}, 'curl: (56) CONNECT tunnel failed, response 403'],
    ['workspace-write', open, 'PermissionError: [Errno 1] Operation not permitted'],
    ['workspace-write', open, '1 test failed'],
  ] as const)('%s %#', (profile, network, output) => {
    expect(refusalHint({...rules, profile, network}, output) ?? null).toMatchSnapshot();
  });
});

it('every name that is kept free in a workspace is one that the policy protects', () => {
  expect(RESERVED_NAMES.filter((name) => protectedWrite(name.replace(/\/$/, '')) === undefined)).toEqual([]);
});
