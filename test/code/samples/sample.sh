#!/usr/bin/env bash
# Ships parcels between depots.
set -euo pipefail

source ./rates.sh
. "lib/money.sh"

LIMIT=40
readonly NAME="ships"
declare -a items=(a b)
export PATH_EXTRA=/opt
alias ll='ls -l'

# Rates one.
rate() {
  local factor=$1 weight
  weight=$((factor * 2))
  echo "$weight"
}

function plan {
  local total=0
  for item in "${items[@]}"; do
    total=$((total + $(rate "$item")))
    helper "$item" || return 1
  done
  if [[ $total -gt $LIMIT ]]; then
    echo "too much: ${total}"
  fi
}

function helper() {
  case "$1" in
    a) log "first" ;;
    *) log "other" ;;
  esac
}

log() { printf '%s\n' "$*" >&2; }

main() {
  inner() { echo inner; }
  inner
  plan "$@"
  while read -r line; do
    rate "$line"
  done < input.txt
  cat <<EOF
total $LIMIT
EOF
}

trap 'log bye' EXIT
main "$@"
