import { recordProcessScript } from '../process.js';

/**
 * Runs on the host, detached: takes its place in the machine's cgroups, and becomes the process that the machine lives and
 * dies with. It outlives Slipway; the kernel ends everything in the machine when it ends.
 *
 * The cgroup namespace comes first: its root is where we are then. With the new kind of cgroups we go one further down
 * after that, because a group with members of its own cannot hand controllers to groups below it.
 */
export const enterNamespacesScript = String.raw`${recordProcessScript}
while IFS= read -r directory; do
  echo $$ > "$directory/cgroup.procs"
done < "$MACHINE_DIRECTORY/cgroups"
exec unshare --cgroup sh -euc '
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    IFS= read -r directory < "$MACHINE_DIRECTORY/cgroups"
    mkdir -p "$directory/init"
    echo $$ > "$directory/init/cgroup.procs"
  fi
  exec unshare --net --mount --pid --uts --ipc --fork --kill-child sh "$MACHINE_DIRECTORY/scripts/build-machine.sh"
'
`;
