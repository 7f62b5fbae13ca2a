import type { SeedDisk, SeedFacts, SeedShare } from './seed-facts.js';

/** Returns an idempotent script that runs in every boot. */
export function boothookOf(facts: SeedFacts): string {
  return [
    '#!/bin/sh',
    ...facts.disks.flatMap(diskLines),
    ...facts.shares.flatMap(shareLines),
    ...iscsiLines(facts.iscsiInitiatorName),
    ...dockerLines(facts.dockerNetworkCidr),
    ...facts.hosts.map(
      ({ address, name }) =>
        `grep -qw ${quoted(name)} /etc/hosts || echo ${quoted(`${address} ${name}`)} >> /etc/hosts`,
    ),
    'exit 0',
    '',
  ].join('\n');
}

/** Returns script lines that mount the disk. They format it only if it has no file system. */
function diskLines({ serial, mountPath }: SeedDisk): string[] {
  const device = quoted(`/dev/disk/by-id/virtio-${serial}`);
  const path = quoted(mountPath);
  return [
    `for attempt in 1 2 3 4 5 6 7 8 9 10; do [ -e ${device} ] && break; sleep 1; done`,
    `blkid ${device} > /dev/null 2>&1 || mkfs.xfs -q ${device} 2> /dev/null || mkfs.ext4 -q ${device}`,
    `mkdir -p ${path}`,
    `grep -q " ${mountPath} " /proc/mounts || mount ${device} ${path}`,
  ];
}

function shareLines({ mountTag, mountPath, readOnly }: SeedShare): string[] {
  const options = `trans=virtio,version=9p2000.L,msize=512000${readOnly ? ',ro' : ''}`;
  const missing = `slipway: failed to mount the host directory ${mountTag}: check that the kernel supports 9p over virtio`;
  return [
    `mkdir -p ${quoted(mountPath)}`,
    `grep -q " ${mountPath} " /proc/mounts || mount -t 9p -o ${options} ${quoted(mountTag)} ${quoted(mountPath)} || echo ${quoted(missing)} > /dev/console`,
  ];
}

function iscsiLines(name: string | undefined): string[] {
  if (name === undefined) return [];
  return [
    'mkdir -p /etc/iscsi',
    `echo ${quoted(`InitiatorName=${name}`)} > /etc/iscsi/initiatorname.iscsi`,
    'chmod 0600 /etc/iscsi/initiatorname.iscsi',
  ];
}

function dockerLines(cidr: string | undefined): string[] {
  if (cidr === undefined) return [];
  const [address = '', prefix = ''] = cidr.split('/');
  const bridge = `${address.replace(/\.0$/, '.1')}/${prefix}`;
  return [
    'mkdir -p /etc/docker',
    `[ -e /etc/docker/daemon.json ] || echo ${quoted(JSON.stringify({ bip: bridge }))} > /etc/docker/daemon.json`,
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
