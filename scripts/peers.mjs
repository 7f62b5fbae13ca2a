// Builds the real programs that tests compare with, from the Go module proxy. Each is built once per pinned version and kept in a
// cache outside the checkout, so that a clean checkout only links it into .peers/bin. `npm run peers` rebuilds programs whose
// version changed. `npm run peers -- etcd kubectl` builds only the named ones, including those that only long tests need (a
// Kubernetes release by its version).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installSystemPrograms } from './system-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = `${root}.peers/bin`;
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'slipway/peers');
const versionPackage = 'k8s.io/component-base/version';
function kubernetesFlags(version) {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version);
  return `-s -w -X ${versionPackage}.gitVersion=${version} -X ${versionPackage}.gitMajor=${major} -X ${versionPackage}.gitMinor=${minor}`;
}
const kubernetes = (name) => ({
  module: 'kubernetes',
  package: `k8s.io/kubernetes/cmd/${name}`,
  ldflags: kubernetesFlags('v1.36.3'),
});
// Kubernetes release from which upgrade tests start. Built only on request, because only the long test of real nodes needs it.
const previousVersion = 'v1.35.8';
const previousKubernetes = (name) => ({
  module: 'kubernetes-previous',
  package: `k8s.io/kubernetes/cmd/${name}`,
  ldflags: kubernetesFlags(previousVersion),
  onRequest: true,
});
const containerd = (name) => ({ module: 'containerd', package: `github.com/containerd/containerd/v2/cmd/${name}` });
const cniPlugin = (path) => ({
  module: 'cni-plugins',
  package: `github.com/containernetworking/plugins/plugins/${path}`,
});

const clusterApiFlags =
  '-s -w -X sigs.k8s.io/cluster-api/version.gitVersion=v1.14.2 -X sigs.k8s.io/cluster-api/version.gitMajor=1 -X sigs.k8s.io/cluster-api/version.gitMinor=14';
const clusterApi = (path) => ({ module: 'cluster-api', package: `sigs.k8s.io/${path}`, ldflags: clusterApiFlags });

/** Programs of a real node besides kubeadm. */
const nodePeers = {
  kubelet: kubernetes('kubelet'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  'kube-proxy': kubernetes('kube-proxy'),
  containerd: containerd('containerd'),
  'containerd-shim-runc-v2': containerd('containerd-shim-runc-v2'),
  ctr: containerd('ctr'),
  // Built with a C library, which runc needs for seccomp profiles: pods of Kubernetes request one.
  runc: { module: 'runc', package: 'github.com/opencontainers/runc', tags: 'seccomp', library: 'libseccomp' },
  'cni/loopback': cniPlugin('main/loopback'),
  'cni/ptp': cniPlugin('main/ptp'),
  'cni/host-local': cniPlugin('ipam/host-local'),
  'cni/portmap': cniPlugin('meta/portmap'),
  // The container that holds a pod's namespaces, and the minimal CNI plugin for the pods of nodes that share a link.
  pause: { module: 'pause', package: '.', cgo: false },
  'pod-network': { module: 'pod-network', package: '.', cgo: false },
  etcdctl: { module: 'etcdctl', package: 'go.etcd.io/etcd/etcdctl/v3' },
  // The cluster DNS, in the version that kubeadm installs.
  coredns: { module: 'coredns', package: '.', cgo: false },
  // Add-ons of the long test of real nodes.
  'local-path-provisioner': {
    module: 'local-path-provisioner',
    package: 'github.com/rancher/local-path-provisioner',
    onRequest: true,
  },
  'metrics-server': {
    module: 'metrics-server',
    package: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
    onRequest: true,
  },
  ...Object.fromEntries(
    ['kubeadm', 'kubelet', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'].map((name) => [
      `${previousVersion}/${name}`,
      previousKubernetes(name),
    ]),
  ),
};

/** Programs by name, each with its wrapper module under test/peers and the package in it. */
const peers = {
  etcd: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  kubectl: kubernetes('kubectl'),
  kubeadm: kubernetes('kubeadm'),
  'informer-timer': { module: 'client-go', package: '.' },
  'reconcile-timer': { module: 'controller-runtime', package: '.', onRequest: true },
  // Cluster API's own rendering of bootstrap data, for comparison.
  'kubeadm-bootstrap': { module: 'kubeadm-bootstrap', package: '.' },
  clusterctl: clusterApi('cluster-api/cmd/clusterctl'),
  // Upstream's managers, for comparison in tests and benchmarks.
  'cluster-api-core': clusterApi('cluster-api/core'),
  'cluster-api-bootstrap': clusterApi('cluster-api/bootstrap/kubeadm'),
  'cluster-api-control-plane': clusterApi('cluster-api/controlplane/kubeadm'),
  'cluster-api-dev': {
    ...clusterApi('cluster-api/test/infrastructure/docker'),
    module: 'cluster-api-dev',
  },
  // Upstream's vSphere manager. Only the vSphere benchmark uses it, and building it takes minutes.
  'cluster-api-vsphere': {
    module: 'cluster-api-vsphere',
    package: 'sigs.k8s.io/cluster-api-provider-vsphere',
    onRequest: true,
  },
  // govmomi's vCenter simulator, with guests that report addresses.
  vcsim: { module: 'govmomi', package: '.' },
  helm: { module: 'helm', package: 'helm.sh/helm/v3/cmd/helm' },
  // A program that uses client-go and controller-runtime as controllers do.
  clients: { module: 'clients', package: '.' },
  // Nodes run Linux, so their programs are built only on Linux hosts.
  ...(process.platform === 'linux' ? nodePeers : {}),
};

/** Returns a hash of everything that the binary depends on: pinned versions, sources, flags and platform. */
function versionOf(peer) {
  const folder = `${root}test/peers/${peer.module}`;
  const hash = createHash('sha256').update(JSON.stringify([peer, process.platform, process.arch]));
  for (const file of readdirSync(folder).sort()) {
    // go.sum is not an input, because the build writes it.
    if (/\.(go|mod)$/.test(file)) hash.update(readFileSync(`${folder}/${file}`));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Returns the environment to compile with a C library: from the system, or from Debian's package, which is unpacked but not
 * installed.
 */
function libraryEnvironment(library) {
  if (library === undefined || spawnSync('pkg-config', ['--exists', library]).status === 0) return {};
  const folder = `${root}.peers/${library}`;
  if (!existsSync(`${folder}/usr`)) {
    mkdirSync(folder, { recursive: true });
    const fetch = `apt-get download ${library}-dev || (apt-get update && apt-get download ${library}-dev)`;
    const result = spawnSync('sh', ['-c', `(${fetch}) && dpkg-deb -x ${library}-dev_*.deb .`], { cwd: folder });
    if (result.status !== 0) {
      console.error(`the headers of ${library} are missing: install them (${library}-dev, or ${library}-devel)`);
      process.exit(1);
    }
  }
  const [place] = readdirSync(`${folder}/usr/lib`);
  const libraries = `${folder}/usr/lib/${place}`;
  return {
    PKG_CONFIG_SYSROOT_DIR: folder,
    PKG_CONFIG_LIBDIR: `${libraries}/pkgconfig`,
    // The directory is also passed as a flag: Go's build cache does not consider the output of pkg-config, and would reuse a
    // build for another directory.
    CGO_CFLAGS: `-O2 -g -I${folder}/usr/include`,
    CGO_LDFLAGS: `-O2 -g -L${libraries}`,
  };
}

/** Builds the peer unless the cache contains this version, and links it into .peers/bin. */
function provide(name, peer) {
  const cached = join(cache, `${name.replaceAll('/', '-')}-${versionOf(peer)}`);
  if (!existsSync(cached)) build(name, peer, cached);
  const target = `${bin}/${name}`;
  if (existsSync(target) && isSameFile(target, cached)) return;
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { force: true });
  try {
    linkSync(cached, target);
  } catch {
    // A link is not possible if the cache is on another file system.
    copyFileSync(cached, target);
  }
}

/** Returns whether a copy is up to date: it has the size of the original and is not older. */
function isSameFile(target, cached) {
  const [one, other] = [statSync(target), statSync(cached)];
  return one.ino === other.ino || (one.size === other.size && one.mtimeMs >= other.mtimeMs);
}

function build(name, peer, cached) {
  console.log(`building ${name} …`);
  const started = Date.now();
  const tags = peer.tags === undefined ? [] : ['-tags', peer.tags];
  // The binary is renamed when it is complete, so that an interrupted build leaves no partial program.
  const unfinished = `${cached}.${process.pid}`;
  const args = ['build', '-trimpath', ...tags, '-ldflags', peer.ldflags ?? '-s -w', '-o', unfinished, peer.package];
  const result = spawnSync('go', args, {
    cwd: `${root}test/peers/${peer.module}`,
    env: {
      ...process.env,
      ...libraryEnvironment(peer.library),
      GOFLAGS: '-mod=mod -buildvcs=false',
      ...(peer.cgo === false ? { CGO_ENABLED: '0' } : {}),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status !== 0) {
    console.error(
      `building ${name} failed (${result.error?.message ?? `exit code ${result.status}`}); Go 1.26 or later is required`,
    );
    process.exit(1);
  }
  renameSync(unfinished, cached);
  console.log(`built ${name} in ${Math.round((Date.now() - started) / 1000)} s`);
}

/**
 * Names on the command line. The name of a group selects all of its programs. Without names, all are built except those built
 * only on request.
 */
const selected = process.argv.slice(2);
const isSelected = ([name, peer]) =>
  selected.length === 0
    ? peer.onRequest !== true
    : selected.some((given) => name === given || name.startsWith(`${given}/`));
for (const name of selected) {
  if (Object.keys(peers).some((peer) => peer === name || peer.startsWith(`${name}/`))) continue;
  console.error(`unknown peer ${name}; known peers: ${Object.keys(peers).join(', ')}`);
  process.exit(2);
}
// These programs, and the tests that need them, are for Linux only.
if (selected.length === 0 && process.platform === 'linux') installSystemPrograms();
mkdirSync(bin, { recursive: true });
mkdirSync(cache, { recursive: true });
for (const [name, peer] of Object.entries(peers).filter(isSelected)) provide(name, peer);
