// Programs that tests use from the system, and their Debian packages.
import { spawnSync } from 'node:child_process';

const programs = {
  'qemu-system-x86_64': 'qemu-system-x86',
  'qemu-img': 'qemu-utils',
  haproxy: 'haproxy',
  promtool: 'prometheus',
  chromium: 'chromium',
  busybox: 'busybox-static',
  cpio: 'cpio',
  mmdebstrap: 'mmdebstrap',
  tmux: 'tmux',
  openssl: 'openssl',
  jq: 'jq',
  buildah: 'buildah',
  'systemd-analyze': 'systemd',
  ip: 'iproute2',
  nft: 'nftables',
  mke2fs: 'e2fsprogs',
  'pkg-config': 'pkg-config',
  // Needed for the only peer with C code.
  gcc: 'gcc',
  '/usr/include/stdio.h': 'libc6-dev',
  // UEFI firmware of guests, which is a file and not a program.
  '/usr/share/OVMF/OVMF_CODE.fd': 'ovmf',
};

const isInstalled = (program) => spawnSync('sh', ['-c', `command -v ${program} || test -e ${program}`]).status === 0;

/** Installs missing programs if this is possible as root without a prompt; otherwise prints their names. */
export function installSystemPrograms() {
  const missing = Object.entries(programs).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name).join(' ');
  const install = `apt-get install -y --no-install-recommends ${packages}`;
  if (process.getuid?.() !== 0 || !isInstalled('apt-get')) {
    console.error(
      `missing: ${missing.map(([program]) => program).join(', ')}; install them (on Debian: sudo ${install})`,
    );
    process.exit(1);
  }
  console.log(`installing ${packages} …`);
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const { status } = spawnSync('sh', ['-c', `apt-get update -q && ${install}`], options);
  if (status !== 0) process.exit(1);
}
