/**
 * Runs the first steps inside the new namespaces, while the files of the host are still visible: connects the machine to the
 * network of its cluster, assembles its root file system, and switches to it.
 *
 * The machine sees /usr of the host below its own overlay, and the node files read-only. Kernel settings are read-only, except
 * those of its network namespace. Because the kubelet would change settings of the host, files with the values that it expects
 * are mounted over them.
 */
export const buildMachineScript = String.raw`set -eu
umask 022
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
cd "$MACHINE_DIRECTORY"

read_only() {
  mkdir -p "$2"
  mount --bind "$1" "$2"
  mount -o remount,bind,ro "$2"
}

connect() {
  ip link set lo up
  ip link add eth0 type veth peer name "$MACHINE_PORT" netns "$MACHINE_SWITCH"
  nsenter --net="$MACHINE_SWITCH" ip link set "$MACHINE_PORT" master switch up
  ip address add "$MACHINE_ADDRESS" dev eth0
  ip link set eth0 up
  ip route add default via "$MACHINE_GATEWAY"
  echo 1 > /proc/sys/net/ipv4/ip_forward
  printf '%s' "$MACHINE_NAME" > /proc/sys/kernel/hostname
}

copy_system() {
  for name in bin sbin lib lib32 lib64 libx32; do
    if [ -L "/$name" ]; then ln -sfn "$(readlink "/$name")" "root/$name"
    elif [ -d "/$name" ]; then read_only "/$name" "root/$name"; fi
  done
  mount -t overlay overlay -o lowerdir=/usr,upperdir=usr/upper,workdir=usr/work root/usr
  for name in alternatives ca-certificates ca-certificates.conf crypto-policies debian_version ld.so.cache ld.so.conf \
    ld.so.conf.d localtime login.defs networks os-release pki protocols services ssl; do
    if [ -e "/etc/$name" ] && [ ! -e "root/etc/$name" ]; then cp -a "/etc/$name" "root/etc/$name"; fi
  done
  read_only "$MACHINE_NODE_FILES/bin" root/usr/local/bin
  read_only "$MACHINE_NODE_FILES/cni" root/opt/cni/bin
  read_only "$MACHINE_NODE_FILES/images" root/opt/slipway/images
}

make_devices() {
  mount -t tmpfs -o mode=755,size=64m tmpfs root/dev
  while read -r name mode major minor; do mknod -m "$mode" "root/dev/$name" c "$major" "$minor"; done <<'LIST'
null 666 1 3
zero 666 1 5
full 666 1 7
random 666 1 8
urandom 666 1 9
kmsg 600 1 11
tty 666 5 0
LIST
  mkdir root/dev/pts root/dev/shm root/dev/mqueue
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts root/dev/pts
  mount -t tmpfs -o mode=1777,size=64m tmpfs root/dev/shm
  mount -t mqueue mqueue root/dev/mqueue
  ln -s pts/ptmx root/dev/ptmx
  ln -s /proc/self/fd root/dev/fd
  for number in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${'$'}{number%%:*}" "root/dev/${'$'}{number#*:}"; done
}

protect_kernel_settings() {
  mount -t proc -o nosuid,nodev,noexec proc root/proc
  mount --bind root/proc/sys root/proc/sys
  mount --bind root/proc/sys/net root/proc/sys/net
  mount -o remount,bind,ro root/proc/sys
  while read -r name value; do
    file=settings/$(echo "$name" | tr / .)
    echo "$value" > "$file"
    mount --bind "$file" "root/proc/sys/$name"
  done <<'LIST'
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
LIST
}

mount_cgroups() {
  mount -t sysfs -o ro,nosuid,nodev,noexec sysfs root/sys
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mount -t cgroup2 cgroup2 root/sys/fs/cgroup
    return
  fi
  mount -t tmpfs -o mode=755,size=1m tmpfs root/sys/fs/cgroup
  while IFS=: read -r _ controllers _; do
    case $controllers in
      '') continue ;;
      name=*) options=none,$controllers ;;
      *) options=$controllers ;;
    esac
    name=${'$'}{controllers#name=}
    mkdir "root/sys/fs/cgroup/$name"
    mount -t cgroup -o "$options" cgroup "root/sys/fs/cgroup/$name"
    for one in $(echo "$name" | tr , ' '); do
      [ "$one" = "$name" ] || ln -s "$name" "root/sys/fs/cgroup/$one"
    done
  done < /proc/self/cgroup
}

mount --bind root root
connect
copy_system
protect_kernel_settings
mount_cgroups
make_devices
mount -t tmpfs -o mode=755 tmpfs root/run
mount -t tmpfs -o mode=1777 tmpfs root/tmp

cd root
mkdir -p .host
pivot_root . .host
cd /
umount -l /.host
rmdir /.host
# Make volumes that one pod mounts visible to the other processes of this machine.
mount --make-rshared /
exec env -i PATH="$PATH" HOME=/root LANG=C.UTF-8 CONTAINER_IMAGES="$MACHINE_IMAGES" sh /opt/slipway/run-machine.sh < /dev/null
`;
