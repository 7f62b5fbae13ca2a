/** Implements the part of systemctl that kubeadm and bootstrap data use, for the two units of a machine. */
export const systemctlScript = String.raw`#!/bin/sh
units=/run/slipway/units
verb=
now=
names=
for word in "$@"; do
  case $word in
    --now) now=yes ;;
    -*) ;;
    *) if [ -z "$verb" ]; then verb=$word; else names="$names $word"; fi ;;
  esac
done

stop() {
  touch "$units/$1.stopped"
  [ -e "$units/$1.pid" ] || return 0
  pid=$(cat "$units/$1.pid")
  kill "$pid" 2> /dev/null
  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
}

start() {
  rm -f "$units/$1.stopped"
}

is_active() {
  [ -e "$units/$1.pid" ] && kill -0 "$(cat "$units/$1.pid")" 2> /dev/null
}

act() {
  case $verb in
    start) start "$1" ;;
    stop) stop "$1" ;;
    restart | reload-or-restart | try-restart) stop "$1"; start "$1" ;;
    enable) if [ -n "$now" ]; then start "$1"; fi ;;
    disable) if [ -n "$now" ]; then stop "$1"; fi ;;
    is-active | status) if is_active "$1"; then echo active; else echo inactive; return 3; fi ;;
    is-enabled) echo enabled ;;
    *) echo "systemctl: '$verb' is not supported: this machine does not run systemd" >&2; return 1 ;;
  esac
}

case $verb in daemon-reload | reset-failed | '') exit 0 ;; esac
code=0
for name in $names; do
  unit=${'$'}{name%.service}
  case $unit in
    containerd | kubelet) act "$unit" || code=$? ;;
    *) echo "Unit $unit.service could not be found." >&2; code=4 ;;
  esac
done
exit "$code"
`;
