import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringifyYaml } from '@slipway/kube';
import { seedFolder } from '../bootstrap/index.js';
import type { MachineSpec } from '../engine/index.js';
import { buildMachineScript, enterNamespacesScript, runMachineScript, systemctlScript } from './scripts/index.js';

/** Empty directories in the root file system of a new machine. */
const folders =
  'dev etc/containerd etc/cni/net.d etc/kubernetes/manifests etc/slipway/kubelet.d home media mnt opt/cni/bin opt/slipway/images proc root run srv sys tmp usr var/lib var/log'.split(
    ' ',
  );

/** Links from legacy paths that programs still use. */
const links: Readonly<Record<string, string>> = { 'var/run': '/run', 'var/lock': '/run/lock' };

/** Writes the files that a machine needs before its start. Idempotent. */
export async function writeMachineFiles(directory: string, machine: MachineSpec): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const folder of folders) await mkdir(join(directory, 'root', folder), { recursive: true });
  for (const [path, target] of Object.entries(links)) await link(join(directory, 'root', path), target);
  for (const folder of ['scripts', 'settings', 'usr/upper', 'usr/work'])
    await mkdir(join(directory, folder), { recursive: true });
  const scripts = { 'enter-namespaces.sh': enterNamespacesScript, 'build-machine.sh': buildMachineScript };
  for (const [name, text] of Object.entries(scripts)) await writeFile(join(directory, 'scripts', name), text);
  for (const [path, text] of Object.entries(systemFiles(machine))) await write(join(directory, 'root', path), text);
  await write(join(directory, 'usr/upper/local/sbin/systemctl'), systemctlScript, 0o755);
  // The seed files contain keys and tokens, so the machine removes them after the bootstrap.
  for (const [name, content] of machine.seed) await write(join(directory, `root${seedFolder}`, name), content, 0o600);
}

async function link(path: string, target: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function write(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode });
  await chmod(path, mode);
}

function systemFiles(machine: MachineSpec): Readonly<Record<string, string>> {
  const { name, address, gateway } = machine;
  const [ip = ''] = address.split('/');
  return {
    'etc/hostname': `${name}\n`,
    'etc/hosts': `127.0.0.1 localhost\n::1 localhost\n${ip} ${name}\n`,
    // No DNS server listens at this address, so that lookups fail immediately instead of timing out.
    'etc/resolv.conf': `nameserver ${gateway}\noptions attempts:1 timeout:1\n`,
    'etc/nsswitch.conf': 'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n',
    'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
    'etc/group': 'root:x:0:\nsudo:x:27:\nnogroup:x:65534:\n',
    'etc/shadow': 'root:!:0::::::\nnobody:!:0::::::\n',
    'etc/machine-id': `${machine.id.replaceAll('-', '')}\n`,
    'etc/containerd/config.toml': containerdConfiguration(machine.nodeFiles.sandboxImage),
    'etc/slipway/kubelet.d/10-machine.conf': kubeletConfiguration(machine),
    'opt/slipway/run-machine.sh': runMachineScript,
  };
}

/** Plugins that machines do not use. A snapshotter whose program is missing breaks the transfer of images. */
const unusedPlugins = [
  ...['blockfile', 'btrfs', 'devmapper', 'erofs', 'zfs'].map((name) => `snapshotter.v1.${name}`),
  'differ.v1.erofs',
];

/** Returns settings for machines without systemd, and for hosts where a process may not raise its priority. */
function containerdConfiguration(sandboxImage: string): string {
  return `version = 3
disabled_plugins = [${unusedPlugins.map((name) => `"io.containerd.${name}"`).join(', ')}]
root = "/var/lib/containerd"
state = "/run/containerd"

[grpc]
address = "/run/containerd/containerd.sock"

[plugins."io.containerd.cri.v1.images"]
snapshotter = "overlayfs"

[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${sandboxImage}"

[plugins."io.containerd.cri.v1.runtime"]
disable_apparmor = true
restrict_oom_score_adj = true

[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = ["/opt/cni/bin"]
conf_dir = "/etc/cni/net.d"

[plugins."io.containerd.cri.v1.runtime".containerd]
default_runtime_name = "runc"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

/** Returns settings of this machine that take precedence over the configuration that kubeadm writes. */
function kubeletConfiguration({ providerId }: MachineSpec): string {
  return stringifyYaml({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    providerID: providerId,
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    makeIPTablesUtilChains: false,
    oomScoreAdj: 0,
    // The disk belongs to the host, so evicting Pods would not free space on it.
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '0%', 'imagefs.available': '0%' },
    imageGCHighThresholdPercent: 100,
  });
}
