import { recordProcessScript } from '../process.js';

/**
 * Runs on the host, detached: takes its place in the machine's cgroups, and becomes the process that the machine lives and
 * dies with. It outlives Slipway; the kernel ends everything in the machine when it ends.
 */
export const enterNamespacesScript = String.raw`${recordProcessScript}
while IFS= read -r directory; do
  echo $$ > "$directory/cgroup.procs"
done < "$MACHINE_DIRECTORY/cgroups"
exec unshare --net --mount --pid --uts --ipc --cgroup --fork --kill-child \
  sh "$MACHINE_DIRECTORY/scripts/build-machine.sh"
`;
