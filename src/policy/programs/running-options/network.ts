import type {OptionRow} from './option-row.ts';

/** Captures, transfers, remote shells, backups and servers. */
export const NETWORK: readonly OptionRow[] = [
  {
    names: 'tcpdump',
    source: 'tcpdump(1) › -z, -w, -F, -V',
    short: 'zwFVZ',
    valued: 'BcCEFGijMmQrsTVwWyzZ',
    long: 'postrotate-command relinquish-privileges',
  },
  {
    names: 'tshark dumpcap wireshark',
    source: 'tshark(1) › -X, -w, -C, -o',
    short: 'XwCoUHK',
    valued: 'abBcCdDeEfFHhiJjKNoOrRsTtUuwWXYyz',
    long: 'capture-comment export-objects elastic-mapping-filter',
  },
  {
    names: 'nmap masscan',
    source: 'nmap(1) › NSE, OUTPUT, MISCELLANEOUS',
    long: 'script script-args-file datadir servicedb versiondb resume stylesheet excludefile interactive conf readscan',
    words: [/^-(?:sC|A|o[NXSGAJLU]|iL|c)/],
  },
  {
    names: 'aria2c',
    source: 'aria2c(1) › Advanced Options',
    short: 'djil',
    valued: 'dioljsxkmtUT',
    long: `on-download-complete on-download-error on-download-pause on-download-start on-download-stop on-bt-download-complete conf-path dir
    enable-rpc input-file save-session log rpc- dht-file-path save-cookies load-cookies certificate private-key server-stat-of netrc-path`,
  },
  {
    names: 'yt-dlp youtube-dl',
    source: 'yt-dlp README › Usage and Options',
    short: 'a',
    valued: 'afoPSrRN',
    long: `exec exec-before-download downloader external-downloader downloader-args config-location config-locations netrc-cmd netrc-location
    postprocessor-args ppa use-postprocessor plugin-dirs ffmpeg-location load-info-json batch-file cookies cookies-from-browser cache-dir
    print-to-file alias js-runtimes`,
  },
  {
    names: 'http https xh xhs',
    source: 'HTTPie › Output options, Sessions',
    elsewhere: true,
    local: '-o --output --session --session-read-only --cert --cert-key',
    short: 'od',
    valued: 'oasp',
    long: 'output download session cert cert-key proxy',
    words: [/^[^=@]*(?:=|:=)?@/],
  },
  {
    names: 'rclone',
    source: 'rclone › Global flags, Commands',
    long: 'password-command config log-file files-from metadata-mapper temp-dir cache-dir rc ca-cert http-proxy use-cookies',
    actions: /config(?: .*)?|mount|rcd?|serve|selfupdate|backend|nfsmount|gitannex|authorize|purge/,
  },
  {
    names: 'restic',
    source: 'restic › Manual',
    short: 'op',
    valued: 'ropE',
    long: 'password-command password-file option repository-file insecure-tls',
    actions: /mount|self-update|forget|prune|key/,
  },
  {names: 'borg', source: 'borg-common-options, borg-with-lock', long: 'rsh remote-path', actions: /with-lock|mount|delete|serve|key/},
  {
    names: 'duplicity rdiff-backup',
    source: 'duplicity(1), rdiff-backup(1)',
    long: 'ssh-options rsync-options remote-schema gpg-options gpg-binary ssh-askpass pydevd',
  },
  {
    names: 'certbot',
    source: 'certbot › Hooks',
    short: 'c',
    long: 'pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook config config-dir work-dir logs-dir',
  },
  {names: 'acme.sh', source: 'acme.sh --help', long: 'pre-hook post-hook renew-hook deploy-hook reloadcmd home config-home'},
  {
    names: 'mitmproxy mitmdump mitmweb',
    source: 'mitmproxy › Options',
    short: 'sw',
    valued: 'srwpm',
    long: 'scripts set save-stream-file confdir',
    own: 'rfile',
  },
  {names: 'pssh parallel-ssh pdsh clush dsh sshfs ssh-copy-id', source: 'the manual of each', always: 'it runs commands on other machines'},
  {
    names: 'openvpn dnsmasq wg-quick pppd dhclient tinc',
    source: 'openvpn(8) › script hooks; the manual of each',
    always: 'its configuration runs scripts',
  },
  {
    names: 'nginx apache2 httpd apachectl lighttpd caddy haproxy',
    source: 'the manual of each',
    short: 'cgpCfdD',
    valued: 'cgpCfdD',
    long: 'config adapter envfile root',
    actions: /run|start|add-package|file-server|reverse-proxy/,
  },
  {names: 'iperf iperf3', source: 'iperf3(1)', short: 'F', long: 'file logfile pidfile'},
  {names: 'mongo mongosh', source: 'mongosh › Options', long: 'eval shell file', short: 'f'},
];
