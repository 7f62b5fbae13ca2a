import { recordProcessScript } from '../process.js';

/**
 * Runs detached on the host: joins the cgroups of the machine and becomes its init process. The process outlives Slipway. When it
 * exits, the kernel kills everything in the machine.
 *
 * The cgroup namespace is created first, because its root is the current cgroup. With cgroup v2 the process then moves one level
 * down, because a cgroup that has processes cannot delegate controllers to its children.
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
