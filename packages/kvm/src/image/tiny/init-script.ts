/**
 * The init process of the tiny guest. It implements the part of cloud-init that tests need: host name, network,
 * write_files, runcmd and boothooks, once for each instance. It also responds to guest agent requests, and shuts down
 * on an ACPI power-button event.
 */
export const initScript = String.raw`#!/bin/busybox sh
/bin/busybox mkdir -p /bin /proc /sys /dev /run /tmp /etc /root /mnt /var/lib
/bin/busybox --install -s /bin
export PATH=/bin HOME=/root
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /dev/disk/by-id /run/seed /run/state /run/cloud
for module in $(cat /modules/order); do insmod "/modules/$module" 2> /dev/null; done
say() { echo "tiny: $*" > /dev/console; }
is_asked() { grep -q "tiny.$1" /proc/cmdline; }

for disk in /sys/block/vd*; do
  [ -e "$disk/serial" ] && ln -s "/dev/$(basename "$disk")" "/dev/disk/by-id/virtio-$(cat "$disk/serial")"
done

goes_down() {
  say powering off
  umount /run/state 2> /dev/null
  poweroff -f
}
if ! is_asked ignore-power-button; then
  for events in /dev/input/event*; do
    [ -e "$events" ] && { dd if="$events" bs=24 count=1 of=/dev/null 2> /dev/null && goes_down; } &
  done
fi

mount -t ext4 /dev/disk/by-id/virtio-rootfs /run/state 2> /dev/null || say no state is kept
if mount -t iso9660 -o ro /dev/disk/by-id/virtio-cidata /run/seed 2> /dev/null; then
  value() { sed -n "s/^$1: *//p" /run/seed/meta-data | head -n 1 | tr -d '"'; }
  instance=$(value instance-id)
  hostname "$(value local-hostname)"
  awk -f /network.awk /run/seed/network-config > /run/cloud/network 2> /dev/null
  sh /run/cloud/network
  awk -f /boothook.awk /run/seed/vendor-data > /run/cloud/boothook 2> /dev/null
  [ -s /run/cloud/boothook ] && sh /run/cloud/boothook > /run/cloud/boothook.log 2>&1
  say "instance $instance as $(hostname)"
elif sh /ignition.sh; then
  say "ignited as $(hostname)"
else
  say no seed
fi
sh /agent.sh &

if [ -n "$instance" ] && [ "$(cat /run/state/instance-id 2> /dev/null)" != "$instance" ]; then
  cp /run/seed/user-data /run/cloud/user-data
  for fact in instance-id local-hostname hostname provider-id local-ipv4; do
    name=$(echo "$fact" | tr - _)
    for written in "$fact" "$name"; do
      sed -i "s|{{ *ds.meta_data.$written *}}|$(value "$fact")|g" /run/cloud/user-data
    done
  done
  mkdir -p /run/cloud/files /run/cloud/commands
  awk -f /cloud-config.awk /run/cloud/user-data
  for path in /run/cloud/files/*.path; do
    [ -e "$path" ] || continue
    base=$(echo "$path" | sed 's/\.path$//')
    target=$(cat "$path")
    mkdir -p "$(dirname "$target")"
    case "$(cat "$base.encoding" 2> /dev/null)" in
      gz+base64 | gzip+base64) base64 -d "$base.content" | gunzip > "$target" ;;
      b64 | base64) base64 -d "$base.content" > "$target" ;;
      *) cat "$base.content" > "$target" ;;
    esac
    [ -s "$base.permissions" ] && chmod "$(cat "$base.permissions")" "$target"
  done
  for command in /run/cloud/commands/*; do
    [ -e "$command" ] && sh "$command" > /dev/console 2>&1
  done
  echo "$instance" > /run/state/instance-id
  sync
  say seed executed
else
  say seed skipped
fi
while true; do sleep 3600; done
`;

/** Writes every file and command of a `#cloud-config` to a separate file. Supports only the YAML that bootstrap data uses. */
export const cloudConfigScript = String.raw`
function indent(line) { match(line, /^ */); return RLENGTH }
function plain(text) {
  if (text ~ /^'.*'$/) { text = substr(text, 2, length(text) - 2); gsub(/''/, "'", text); return text }
  if (text ~ /^".*"$/) {
    text = substr(text, 2, length(text) - 2)
    gsub(/\\n/, "\n", text); gsub(/\\"/, "\"", text); gsub(/\\\\/, "\\", text)
  }
  return text
}
function listed(text,   parts, count, i, out) {
  gsub(/^\[ *| *\]$/, "", text)
  count = split(text, parts, / *, */)
  for (i = 1; i <= count; i++) { gsub(/'/, "'\\''", parts[i]); out = out " '" plain(parts[i]) "'" }
  return substr(out, 2)
}
function target(key) { return section == "write_files" ? sprintf("/run/cloud/files/%04d.%s", item, key) : sprintf("/run/cloud/commands/%04d", item) }
function put(key, text) {
  if (text ~ /^[|>]/) { block = target(key); blockIndent = -1; printf "" > block; return }
  printf "%s", (section != "write_files" && text ~ /^\[/) ? listed(text) : plain(text) > target(key)
  if (section != "write_files") printf "\n" > target(key)
}
block != "" {
  if ($0 ~ /^ *$/) { if (blockIndent >= 0) held = held "\n"; next }
  if (blockIndent < 0 && indent($0) > keyIndent) blockIndent = indent($0)
  if (blockIndent >= 0 && indent($0) >= blockIndent) { printf "%s%s\n", held, substr($0, blockIndent + 1) > block; held = ""; next }
  close(block); block = ""; held = ""
}
/^#/ || /^ *$/ { next }
/^[a-z_]+:/ { section = $1; sub(/:.*/, "", section); next }
section != "write_files" && section != "runcmd" { next }
/^ *-( |$)/ {
  item++
  keyIndent = indent($0)
  rest = $0; sub(/^ *- */, "", rest)
  if (section == "runcmd") { put("", rest); next }
  $0 = sprintf("%" (keyIndent + 2) "s", "") rest
}
section == "write_files" && /^ *[a-z]+:/ {
  key = $1; sub(/:.*/, "", key)
  rest = $0; sub(/^ *[a-z]+: */, "", rest)
  put(key, rest)
}
`;

/** Converts the generated network configuration to `ip` commands. */
export const networkScript = String.raw`
function flush() {
  if (mac == "") return
  print "for nic in /sys/class/net/eth*; do [ \"$(cat $nic/address)\" = \"" mac "\" ] && name=$(basename $nic); done"
  print "ip link set lo up; ip link set \"$name\" up"
  if (dhcp) print "udhcpc -i \"$name\" -s /udhcpc.sh -q -t 10 -T 1 > /dev/null 2>&1"
  if (address != "") print "ip addr add " address " dev \"$name\""
  if (gateway != "") print "ip route add default via " gateway
  mac = ""; dhcp = 0; address = ""; gateway = ""
}
/macaddress:/ { flush(); mac = $NF; gsub(/"/, "", mac) }
/dhcp4: true/ { dhcp = 1 }
/addresses:/ && !/nameservers/ && address == "" && mac != "" && wanted == "" { getline; address = $NF; gsub(/"/, "", address) }
/nameservers:/ { wanted = "names" }
/via:/ { gateway = $NF; gsub(/"/, "", gateway) }
/^  [a-z]/ { wanted = "" }
END { flush() }
`;

/**
 * The part of Ignition that the generated configurations use: files from data URLs, merged configurations, networks, and
 * commands of units. The configuration is read from the firmware and applied once.
 */
export const ignitionScript = String.raw`
for name in opt/org.flatcar-linux/config opt/com.coreos/config; do
  [ -e "/sys/firmware/qemu_fw_cfg/by_name/$name/raw" ] && config=/sys/firmware/qemu_fw_cfg/by_name/$name/raw
done
[ -n "$config" ] || exit 1
decoded() {
  case "$1" in
    data:*base64,*) echo "$1" | sed 's/^[^,]*,//' | base64 -d ;;
    data:*) httpd -d "$(echo "$1" | sed 's/^[^,]*,//')" ;;
  esac
}
apply() {
  # Units of the outer configuration come before those that it merges.
  sed 's/\\n/\n/g' "$1" | sed -n 's/^ExecStart=//p' >> /run/cloud/units
  sed 's/[{}]/\n/g' "$1" | awk '
    /"path":/ { path = $0; sub(/.*"path": *"/, "", path); sub(/".*/, "", path) }
    /"source":/ { source = $0; sub(/.*"source": *"/, "", source); sub(/".*/, "", source); print (path == "" ? "-" : path), source; path = "" }
  ' > "$1.files"
  while read -r path source; do
    if [ "$path" = - ]; then
      decoded "$source" > "$1.merged"
      apply "$1.merged"
    else
      mkdir -p "$(dirname "$path")"
      decoded "$source" > "$path"
      chmod 0755 "$path"
    fi
  done < "$1.files"
}
cp "$config" /run/cloud/config
: > /run/cloud/units
apply /run/cloud/config
hostname "$(cat /etc/hostname)"
ip link set lo up
for unit in /etc/systemd/network/*.network; do
  setting() { sed -n "s/^$1=//p" "$unit"; }
  for nic in /sys/class/net/eth*; do [ "$(cat "$nic/address")" = "$(setting MACAddress)" ] && name=$(basename "$nic"); done
  ip link set "$name" up
  [ -n "$(setting DHCP)" ] && udhcpc -i "$name" -s /udhcpc.sh -q -t 10 -T 1 > /dev/null 2>&1
  for address in $(setting Address); do ip addr add "$address" dev "$name"; done
done
if [ ! -e /run/state/ignited ]; then
  while read -r command; do sh -c "$command" > /dev/console 2>&1; done < /run/cloud/units
  touch /run/state/ignited
  sync
fi
exit 0
`;

/** Extracts the boothook from the multipart vendor data. */
export const boothookScript = String.raw`
/^--/ { inside = 0; header = 1; next }
header && /^Content-Type: text\/cloud-boothook/ { wanted = 1 }
header && /^ *\r?$/ { header = 0; inside = wanted; wanted = 0; next }
inside { print }
`;

export const leaseScript = String.raw`#!/bin/sh
case "$1" in
  bound | renew)
    ip addr add "$ip/$mask" dev "$interface"
    [ -n "$router" ] && ip route add default via "$router"
    ;;
esac
`;

/** The part of the guest agent that reports whether bootstrap succeeded. */
export const agentScript = String.raw`
while [ -z "$device" ]; do
  for port in /sys/class/virtio-ports/*; do
    [ "$(cat "$port/name" 2> /dev/null)" = org.qemu.guest_agent.0 ] && device=/dev/$(basename "$port")
  done
  sleep 1
done
exec 3<> "$device"
while true; do
  # The loop ends immediately while no client is connected.
  while read -r line <&3; do
    case "$line" in
      *guest-sync*) echo "{\"return\": $(echo "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')}" >&3 ;;
      *guest-ping*) echo '{"return": {}}' >&3 ;;
      *guest-file-open*)
        path=$(echo "$line" | sed 's/.*"path": *"\([^"]*\)".*/\1/')
        if [ -e "$path" ]; then echo '{"return": 1000}' >&3
        else echo '{"error": {"class": "GenericError", "desc": "No such file or directory"}}' >&3; fi ;;
      *guest-file-close*) echo '{"return": {}}' >&3 ;;
      *guest-set-time*)
        date -u -s "@$(echo "$line" | sed 's/.*"time": *\([0-9]*\)[0-9]\{9\}.*/\1/')" > /dev/null
        echo '{"return": {}}' >&3 ;;
      *) echo '{"error": {"class": "CommandNotFound", "desc": "unknown"}}' >&3 ;;
    esac
  done
  usleep 200000
done
`;
