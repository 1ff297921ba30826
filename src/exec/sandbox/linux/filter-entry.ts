/** The descriptor at which `bwrap` finds the program for seccomp. */
export const FILTER_FD = 9;

/** A script for bash that opens the file in `$0` as the filter and becomes the command in its arguments. Inherited descriptors are closed. */
export const FILTER_ENTRY = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; ((fd > 2)) && eval "exec $fd>&-"; done; exec "$@" ${FILTER_FD}<"$0"`;
