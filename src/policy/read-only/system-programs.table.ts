import type {ReadOnlyForm, ReadOnlyTable} from './command-form.ts';

const NAMES = {operands: 'names'} as const;
const NONE = {operands: 'none'} as const;
const FORMAT = 'format filter no-trunc';

/** docker(1), podman(1): commands that list; not those that name another daemon or configuration. */
const LISTED: ReadOnlyForm = {
  flags: 'aqnls',
  values: 'f',
  long: `all quiet latest size digests ${FORMAT} last`,
  longValues: 'format filter last',
  ...NAMES,
};
const LOGS: ReadOnlyForm = {
  flags: 'tf',
  values: 'n',
  long: 'timestamps details since until tail no-color no-log-prefix',
  longValues: 'since until tail',
  ...NAMES,
};

/** Names of objects that hold keys. */
const SECRETS = /secret|:\/\/|-file|^-.*file/i;
const KUBE: ReadOnlyForm = {
  flags: 'AwR',
  values: 'nloLc',
  long: 'all-namespaces show-labels no-headers ignore-not-found show-kind watch namespace selector output field-selector sort-by since tail timestamps previous all-containers prefix containers client short api-group namespaced verbs recursive label-columns context',
  longValues: 'namespace selector output field-selector sort-by since tail container label-columns context',
  refuse: SECRETS,
  ...NAMES,
};
const GH: ReadOnlyForm = {
  flags: 'acdlv',
  values: 'LsASlqtRHBbuwejo',
  long: 'comments state limit json jq template log log-failed verbose exit-status name-only patch required watch all label author assignee search base head draft repo',
  longValues: 'state limit json jq template label author assignee search base head repo branch workflow status user job order sort',
  refuse: /:\/\/|^(?:[^/]*\/){2,}/,
  ...NAMES,
};

/** Programs that describe processes, the machine, packages, containers and services. The comment after each form names its manual. */
export const READ_ONLY_SYSTEM: ReadOnlyTable = {
  // ps(1): not the BSD `e`, which shows environments
  ps: {
    flags: 'AaefFlLjTHMNZdcwymx',
    values: 'oOpuUgGtCqs',
    long: 'forest no-headers headers sort ppid pid user format',
    longValues: 'sort ppid pid user format cols width',
    words: /^[axufljvwT]{1,6}$/,
    operands: /^\d+$/,
  },
  // pgrep(1): --signal does not send one, but says so elsewhere
  pgrep: {
    flags: 'acfilnovwxL',
    values: 'dgGPstuU',
    long: 'list-name list-full full newest oldest count exact',
    longValues: 'parent user euid',
    ...NAMES,
  },
  pidof: {flags: 'csxq', ...NAMES},
  // top(1): -b prints
  top: {flags: 'bcHiS', values: 'nduUpoeEw', words: /^-bn\d+$/, needs: /^-\w*b/, ...NAMES},
  // free(1), uptime(1), w(1), who(1), last(1), id(1), groups(1), tty(1), arch(1), nproc(1)
  free: {flags: 'bkmghltwL', values: 'sc', long: 'human mega giga kibi mebi gibi wide total lohi si', ...NONE},
  uptime: {flags: 'ps', long: 'pretty since', ...NONE},
  w: {flags: 'hsfiou', ...NAMES},
  who: {flags: 'abdHlmpqrstTuw', long: 'all boot heading', ...NAMES},
  last: {flags: 'adFiRwx', values: 'nst', words: /^-\d+$/, ...NAMES},
  id: {flags: 'gGnruzZ', long: 'user group groups name real', ...NAMES},
  groups: NAMES,
  tty: {flags: 's', ...NONE},
  hostname: {flags: 'fsdiIAy', long: 'fqdn short domain ip-address all-ip-addresses', ...NONE},
  arch: NONE,
  nproc: {long: 'all ignore', ...NONE},
  // lscpu(1), lsblk(8), lsmod(8), lspci(8), lsusb(8), lsns(8), findmnt(8)
  lscpu: {flags: 'aeJpxybcC', long: 'all extended parse json caches', ...NONE},
  lsblk: {flags: 'abdfiJlmnOprSstTz', values: 'oxeI', long: 'all bytes fs json list output-all paths', longValues: 'output', ...NAMES},
  lsmod: NONE,
  lspci: {flags: 'vknmtbqQ', values: 'sd', ...NONE},
  lsusb: {flags: 'vt', values: 's', ...NONE},
  findmnt: {flags: 'abDfJklnruvRA', values: 'toTS', long: 'all df json list real', longValues: 'types output target', ...NAMES},
  // lsof(8): not -D, which writes a cache
  lsof: {flags: 'anPlUtRN', values: 'icdpug', words: /^-i\S*$|^[-+]c\d+$|^\+[DdL]\d*$/},
  // ss(8), netstat(8), ip(8), ifconfig(8)
  ss: {
    flags: 'hHlntuxawdipsemorO0146T',
    long: 'listening numeric tcp udp all processes summary',
    operands: /^(?:state|sport|dport|=|:\w+|established|listening)$/,
  },
  netstat: {flags: 'tulpnarisegvWAN46f', long: 'listening numeric programs tcp udp all route interfaces statistics', ...NONE},
  'ip addr, ip a, ip address, ip route, ip r, ip link, ip l, ip neigh, ip rule': {
    operands: /^(?:show|list|ls|dev|up|default|get|[a-z]+\d+(?:\.\d+)?|\d[\d.]*)$/,
  },
  'ip -br addr, ip -br a, ip -brief addr, ip -br link, ip -4 addr, ip -4 a, ip -6 addr, ip -j addr, ip -s link': NONE,
  ifconfig: {flags: 'a', ...NONE},
  // vmstat(8), iostat(1), mpstat(1)
  'vmstat, iostat, mpstat': {flags: 'aswtdnfchkmxyzNA', values: 'SP', operands: /^(?:\d+|[a-z]+\d*)$/},
  // dmesg(1): not the options that clear or set
  dmesg: {flags: 'Ttkxeru', values: 'lf', long: 'ctime level notime nopager facility', longValues: 'level facility', ...NONE},
  // journalctl(1): not the options that change or move the journal
  journalctl: {
    flags: 'bkraxeqm',
    values: 'unpotg',
    long: 'no-pager since until unit lines priority output grep boot dmesg reverse quiet no-hostname user system list-boots disk-usage catalog utc no-full',
    longValues: 'since until unit lines priority output grep identifier',
    words: /^-n\d+$/,
    operands: /^(?:-?\d+|_\w+=[\w.-]+)$/,
  },
  // systemctl(1), timedatectl(1), hostnamectl(1), localectl(1), loginctl(1)
  systemctl: {flags: 'al', long: 'no-pager all failed plain no-legend user', ...NONE},
  'systemctl status, systemctl list-units, systemctl list-unit-files, systemctl list-timers, systemctl list-dependencies, systemctl is-active, systemctl is-enabled, systemctl is-failed, systemctl show, systemctl cat':
    {
      flags: 'alq',
      values: 'tpn',
      long: 'no-pager all full failed plain no-legend user system type state property lines quiet value output',
      longValues: 'type state property lines',
      operands: /^[\w@.*\\:-]+$/,
    },
  'timedatectl, timedatectl status, timedatectl show, timedatectl list-timezones, hostnamectl, hostnamectl status, localectl, localectl status, loginctl list-sessions':
    {long: 'no-pager', ...NONE},
  // df(1), readlink(1); type(1) of the shell
  df: {
    flags: 'ahHiklPTv',
    values: 'tx',
    long: 'all human-readable si inodes total local portability print-type output type',
    longValues: 'type exclude-type',
    ...NAMES,
  },
  readlink: {flags: 'femnqsvz', ...NAMES},
  type: {flags: 'aftpP', ...NAMES},
  // getconf(1), getent(1): hosts would ask the network
  getconf: {flags: 'a', operands: /^\w+$/},
  'getent passwd, getent group, getent services, getent protocols': NAMES,
  // locale(1), cal(1), tput(1), sysctl(8), ulimit and umask of the shell, uname(1), type, help
  locale: {flags: 'ackm', long: 'all-locales charmaps', ...NAMES},
  'cal, ncal': {flags: '13yjmMhw', values: 'An', operands: /^\w+$/},
  'tput cols, tput lines, tput colors': NONE,
  sysctl: {flags: 'anNe', long: 'all values names', operands: /^[\w.]+$/},
  ulimit: {flags: 'aSH', ...NONE, needs: /^-\w*a/},
  umask: {flags: 'Sp', ...NONE},
  'jobs, times': {flags: 'lp', ...NONE},
  // printenv(1): variables by their names; not those that hold keys
  printenv: {operands: /^(?!.*(?:KEY|TOKEN|SECRET|PASS|PWD_|AUTH|CRED|COOKIE|PRIVATE))[A-Z_a-z]\w*$/i, needs: /^\w/},
  // man(1), whatis(1), apropos(1): pages by their names
  man: {flags: 'kfwa', operands: /^[\w.+:[\]-]+$/, refuse: /\//},
  'whatis, apropos': {operands: /^[\w.+-]+$/},
  whereis: {flags: 'bmsu', ...NAMES},
  // dpkg(1), dpkg-query(1), apt(8), apt-cache(8), rpm(8), pacman(8), apk(8), snap(8), brew(1), flatpak(1)
  dpkg: {flags: 'lLSs', long: 'list listfiles search status print-architecture get-selections', needs: /^-[lLSs]$|^--/, ...NAMES},
  'dpkg-query': {flags: 'lLSsW', values: 'f', long: 'show list listfiles search status showformat', ...NAMES},
  'apt list, apt show, apt search, apt policy': {flags: 'a', long: 'installed upgradable all-versions', ...NAMES},
  'apt-cache policy, apt-cache show, apt-cache search, apt-cache depends, apt-cache rdepends, apt-cache madison, apt-mark showmanual, apt-mark showhold':
    {long: 'names-only installed', ...NAMES},
  rpm: {flags: 'qalifcdR', long: 'query all info list', needs: /^-q|^--query$/, ...NAMES},
  pacman: {flags: 'Qqielmtdkn', needs: /^-Q/, ...NAMES},
  'apk info, apk list, apk version': {flags: 'avLdrR', long: 'installed', ...NAMES},
  'snap list, flatpak list, snap version': {long: 'all app runtime', ...NONE},
  'brew list, brew ls, brew leaves, brew deps, brew config, brew --prefix, brew --version': {
    flags: '1',
    long: 'versions formula cask tree installed',
    ...NAMES,
  },
  // npm-ls(1) and its kin, which run nothing of the project and ask no registry
  'npm ls, npm list, npm ll, npm la': {
    flags: 'glap',
    long: 'depth all global long json parseable omit include prod production',
    longValues: 'depth omit',
    ...NAMES,
  },
  'npm explain, npm why': {long: 'json', ...NAMES},
  'npm root, npm prefix, npm bin': {flags: 'g', long: 'global', ...NONE},
  'npm config get, npm config list, npm config ls': {
    flags: 'gl',
    long: 'global json long location',
    ...NAMES,
    refuse: /token|_auth|passw/i,
    noRisks: true,
  },
  'npm run, npm run-script': {long: 'json', ...NONE},
  // pip › list, show, freeze, check: not the options that name an index or another Python
  'pip list, pip3 list': {
    flags: 'el',
    long: 'format not-required user local exclude-editable disable-pip-version-check',
    longValues: 'format',
    refuse: /^-o|outdated|uptodate/,
    ...NONE,
  },
  'pip show, pip3 show': {flags: 'f', long: 'files verbose disable-pip-version-check', ...NAMES},
  'pip freeze, pip3 freeze': {flags: 'l', long: 'local all user disable-pip-version-check', ...NONE},
  'pip check, pip3 check': NONE,
  // gem › list, environment; go › env, doc, version; docker(1); dotnet › --list-sdks
  'gem list, gem environment, gem env': {flags: 'ladi', long: 'local all details versions installed', ...NAMES},
  'go env': {words: /^-(?:json|changed)$/, operands: /^[A-Z][A-Z\d_]*$/},
  'go doc': {words: /^-(?:all|src|short|u|c|cmd)$/, operands: /^[\w./]+$/, refuse: /\.\./},
  'dotnet --list-sdks, dotnet --list-runtimes': NONE,
  // docker(1), podman(1)
  'docker ps, docker images, docker image ls, docker container ls, docker network ls, docker volume ls, docker context ls, docker compose ls, podman ps, podman images, podman image ls, podman container ls, podman network ls, podman volume ls':
    LISTED,
  'docker logs, docker compose logs, podman logs': LOGS,
  'docker inspect, docker image inspect, docker container inspect, docker network inspect, docker volume inspect, podman inspect': {
    flags: 's',
    values: 'f',
    long: 'format size type',
    longValues: 'format type',
    ...NAMES,
  },
  'docker compose ps, docker compose images, docker compose top, docker compose version': {
    flags: 'aq',
    long: `all quiet services status ${FORMAT}`,
    longValues: 'format status filter',
    ...NAMES,
  },
  'docker system df, docker version, docker info, podman version, podman info': {
    flags: 'v',
    values: 'f',
    long: 'verbose format',
    longValues: 'format',
    ...NONE,
  },
  'docker stats, podman stats': {flags: 'a', long: 'no-stream all no-trunc format', longValues: 'format', needs: /^--no-stream$/, ...NAMES},
  'docker top, docker port, docker diff, docker history, podman top, podman port, podman diff, podman history': {
    flags: 'qH',
    long: 'no-trunc quiet human format',
    ...NAMES,
  },
  // kubectl(1): no file, no other server, no secrets
  'kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl api-resources, kubectl api-versions, kubectl rollout status, kubectl rollout history, kubectl auth can-i':
    KUBE,
  'kubectl version': {long: 'client short output', longValues: 'output', values: 'o', ...NONE},
  'kubectl cluster-info, kubectl config current-context, kubectl config get-contexts, kubectl config get-clusters, kubectl config get-users':
    NONE,
  // helm(1)
  'helm list, helm ls, helm status, helm history, helm version': {
    flags: 'Aaq',
    values: 'no',
    long: 'all-namespaces all short namespace output',
    longValues: 'namespace output',
    ...NAMES,
  },
  // gh(1): reads through the API of the host that the person is logged in to; no browser
  'gh pr list, gh pr status, gh pr view, gh pr diff, gh pr checks, gh issue list, gh issue status, gh issue view, gh run list, gh run view, gh workflow list, gh workflow view, gh release list, gh release view, gh repo list, gh repo view, gh label list':
    {...GH, refuse: /:\/\/|^(?:[^/]*\/){2,}|^-\w*w|^--web/},
  'gh auth status': NONE,
  // terraform(1), openssl(1): nothing of the folder is loaded
  'terraform version': NONE,
  'openssl version': {flags: 'abdefvpr', ...NONE},
  'crontab -l': NONE,
};
