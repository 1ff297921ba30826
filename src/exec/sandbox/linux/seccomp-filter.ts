/**
 * A program for seccomp(2) that refuses calls that get around the sandbox: unix sockets (docker, ssh-agent, D-Bus: GHSA-v4xv-rqh3-w9mc),
 * sockets that know no network namespace (vsock), io_uring (its sockets pass by any filter), typing into a terminal (TIOCSTI), kernel keys, new
 * namespaces and mounts, bpf, userfaultfd, files that run as their owner (setuid: other users of the machine could start them), another limit
 * for core files (below 1 they go to the program that the machine names for them, which runs outside: core(5)), tampering with the first process
 * of the sandbox (which notifies bwrap outside when the command has ended). Programs of another architecture (i386, x32) are ended: their calls
 * have other numbers. Undefined for an architecture whose numbers are not known.
 */
export function seccompFilter(arch: string): Uint8Array | undefined {
  const table = TABLES[arch];
  if (table === undefined) return undefined;
  const {numbers} = table;
  const program = [
    load(ARCH_AT),
    ...unless(table.audit, KILL),
    load(NUMBER_AT),
    ...(arch === 'x64' ? [instruction(JGE, X32_BIT, [0, 1]), give(KILL)] : []),
    ...table.denied.flatMap((number) => when(number, refuse(EPERM))),
    ...MISSING.flatMap((number) => when(number, refuse(ENOSYS))),
    ...within(numbers.socket, [load(argumentAt(0)), ...SOCKET_FAMILIES.flatMap((family) => when(family, ALLOW)), give(refuse(EPERM))]),
    // One end of a pair of datagram sockets could be reconnected to any name.
    ...within(numbers.socketpair, [
      load(argumentAt(1)),
      instruction(AND, 0xf),
      ...PAIR_TYPES.flatMap((type) => when(type, ALLOW)),
      give(refuse(EPERM)),
    ]),
    ...within(numbers.ioctl, [load(argumentAt(1)), ...TERMINAL_REQUESTS.flatMap((request) => when(request, refuse(EPERM))), give(ALLOW)]),
    ...numbers.process.flatMap(([number, argument]) =>
      within(number, [load(argumentAt(argument)), ...when(1, refuse(EPERM)), give(ALLOW)]),
    ),
    ...numbers.chmod.flatMap(([number, argument]) =>
      within(number, [load(argumentAt(argument)), instruction(JSET, SETUID, [0, 1]), give(refuse(EPERM)), give(ALLOW)]),
    ),
    ...(numbers.setrlimit === undefined
      ? []
      : within(numbers.setrlimit, [load(argumentAt(0)), ...when(RLIMIT_CORE, refuse(ENOSYS)), give(ALLOW)])),
    ...within(numbers.prlimit, [
      load(argumentAt(1)),
      ...unless(RLIMIT_CORE, ALLOW),
      // A question names no new limit.
      load(argumentAt(2)),
      ...unless(0, refuse(ENOSYS)),
      load(argumentAt(2) + 4),
      ...unless(0, refuse(ENOSYS)),
      give(ALLOW),
    ]),
    ...within(numbers.clone, [load(argumentAt(0)), instruction(JSET, NEW_NAMESPACES, [0, 1]), give(refuse(EPERM)), give(ALLOW)]),
    give(ALLOW),
  ];
  return Buffer.concat(program);
}

interface Table {
  readonly audit: number;
  readonly numbers: Readonly<Record<'socket' | 'socketpair' | 'ioctl' | 'clone' | 'prlimit', number>> & {
    readonly setrlimit?: number;
    /** ptrace, process_vm_readv, process_vm_writev, pidfd_open: the number, and which argument is the process. */
    readonly process: readonly (readonly [number: number, argument: number])[];
    /** chmod and its kin: the number, and which argument is the mode. */
    readonly chmod: readonly (readonly [number: number, argument: number])[];
  };
  readonly denied: readonly number[];
}

/** The same on both: fsopen and its kin, mount_setattr, quotactl_fd, open_tree_attr. */
const DENIED_EVERYWHERE = [428, 429, 430, 431, 432, 433, 442, 443, 467];

/** io_uring_setup, _enter and _register; clone3, whose flags a filter cannot see: libraries then use clone. */
const MISSING = [425, 426, 427, 435];

/**
 * add_key request_key keyctl · bpf perf_event_open userfaultfd · mount umount2 pivot_root chroot setns unshare · init_module finit_module
 * delete_module kexec_load kexec_file_load reboot · swapon swapoff acct quotactl syslog · open_by_handle_at · settimeofday clock_settime
 * (linux/arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h); on x64 also iopl and ioperm.
 */
const TABLES: Readonly<Record<string, Table>> = {
  x64: {
    audit: 0xc000003e,
    numbers: {
      socket: 41,
      socketpair: 53,
      ioctl: 16,
      clone: 56,
      prlimit: 302,
      setrlimit: 160,
      process: [
        [101, 1],
        [310, 0],
        [311, 0],
        [434, 0],
      ],
      chmod: [
        [90, 1],
        [91, 1],
        [268, 2],
        [452, 2],
      ],
    },
    denied: [
      248,
      249,
      250,
      321,
      298,
      323,
      165,
      166,
      155,
      161,
      308,
      272,
      175,
      313,
      176,
      246,
      320,
      169,
      167,
      168,
      163,
      179,
      103,
      304,
      164,
      227,
      172,
      173,
      ...DENIED_EVERYWHERE,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    numbers: {
      socket: 198,
      socketpair: 199,
      ioctl: 29,
      clone: 220,
      prlimit: 261,
      setrlimit: 164,
      process: [
        [117, 1],
        [270, 0],
        [271, 0],
        [434, 0],
      ],
      chmod: [
        [52, 1],
        [53, 2],
        [452, 2],
      ],
    },
    denied: [
      217,
      218,
      219,
      280,
      241,
      282,
      40,
      39,
      41,
      51,
      268,
      97,
      105,
      273,
      106,
      104,
      294,
      142,
      224,
      225,
      89,
      60,
      116,
      265,
      170,
      112,
      ...DENIED_EVERYWHERE,
    ],
  },
};

/** AF_INET, AF_INET6, AF_NETLINK (the list of interfaces). */
const SOCKET_FAMILIES = [2, 10, 16];
/** SOCK_STREAM, SOCK_SEQPACKET. */
const PAIR_TYPES = [1, 5];
/** TIOCSTI (CVE-2017-5226), TIOCLINUX. */
const TERMINAL_REQUESTS = [0x5412, 0x541c];
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** S_ISUID. */
const SETUID = 0o4000;
const RLIMIT_CORE = 4;
const X32_BIT = 0x40000000;

const EPERM = 1;
const ENOSYS = 38;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;

// linux/filter.h and struct seccomp_data: number, architecture, address, six arguments of 64 bits.
const LOAD = 0x20;
const JEQ = 0x15;
const JGE = 0x35;
const JSET = 0x45;
const AND = 0x54;
const RETURN = 0x06;
const NUMBER_AT = 0;
const ARCH_AT = 4;

function argumentAt(index: number): number {
  return 16 + 8 * index;
}

function instruction(code: number, value: number, [yes, no]: readonly [number, number] = [0, 0]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

function load(offset: number): Buffer {
  return instruction(LOAD, offset);
}

function give(verdict: number): Buffer {
  return instruction(RETURN, verdict);
}

function refuse(errno: number): number {
  return 0x00050000 + errno;
}

function when(value: number, verdict: number): Buffer[] {
  return [instruction(JEQ, value, [0, 1]), give(verdict)];
}

function unless(value: number, verdict: number): Buffer[] {
  return [instruction(JEQ, value, [1, 0]), give(verdict)];
}

/** For one call: loaded values do not outlive it, since each path through it ends with a verdict. */
function within(number: number, body: readonly Buffer[]): Buffer[] {
  return [instruction(JEQ, number, [0, body.length]), ...body];
}
