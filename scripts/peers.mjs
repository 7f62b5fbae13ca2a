// Builds the real programs that tests compare with, from the Go module proxy, into an ignored folder. Each is built once
// per pinned version: `npm run peers` after a bump rebuilds what changed, `npm run peers -- etcd kubectl` builds those.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = `${root}.peers/bin`;
const kubernetesVersion = 'v1.36.3';
const [, major, minor] = /^v(\d+)\.(\d+)/.exec(kubernetesVersion);
const versionPackage = 'k8s.io/component-base/version';
const kubernetesFlags = `-s -w -X ${versionPackage}.gitVersion=${kubernetesVersion} -X ${versionPackage}.gitMajor=${major} -X ${versionPackage}.gitMinor=${minor}`;
const kubernetes = (name) => ({
  module: 'kubernetes',
  package: `k8s.io/kubernetes/cmd/${name}`,
  ldflags: kubernetesFlags,
});

const clusterApiFlags =
  '-s -w -X sigs.k8s.io/cluster-api/version.gitVersion=v1.14.2 -X sigs.k8s.io/cluster-api/version.gitMajor=1 -X sigs.k8s.io/cluster-api/version.gitMinor=14';
const clusterApi = (path) => ({ module: 'cluster-api', package: `sigs.k8s.io/${path}`, ldflags: clusterApiFlags });

/** Program → the wrapper module under test/peers and the package in it. */
const peers = {
  etcd: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  kubectl: kubernetes('kubectl'),
  kubeadm: kubernetes('kubeadm'),
  'informer-timer': { module: 'client-go', package: '.' },
  // Cluster API's own rendering of bootstrap data, to compare ours with.
  'kubeadm-bootstrap': { module: 'kubeadm-bootstrap', package: '.' },
  clusterctl: clusterApi('cluster-api/cmd/clusterctl'),
  // Upstream's managers, which tests compare ours with and benchmarks run beside them.
  'cluster-api-core': clusterApi('cluster-api/core'),
  'cluster-api-bootstrap': clusterApi('cluster-api/bootstrap/kubeadm'),
  'cluster-api-control-plane': clusterApi('cluster-api/controlplane/kubeadm'),
  'cluster-api-dev': {
    ...clusterApi('cluster-api/test/infrastructure/docker'),
    module: 'cluster-api-dev',
  },
  // govmomi's vCenter simulator, with guests that report addresses.
  vcsim: { module: 'govmomi', package: '.' },
  helm: { module: 'helm', package: 'helm.sh/helm/v3/cmd/helm' },
  // A program of ours that uses client-go and controller-runtime as controllers do.
  clients: { module: 'clients', package: '.' },
};

function stampOf(peer) {
  const folder = `${root}test/peers/${peer.module}`;
  const hash = createHash('sha256').update(JSON.stringify(peer));
  for (const file of readdirSync(folder).sort()) {
    // go.sum is an outcome of the build, not an input to it.
    if (/\.(go|mod)$/.test(file)) hash.update(readFileSync(`${folder}/${file}`));
  }
  return hash.digest('hex');
}

function build(name, peer) {
  const target = `${bin}/${name}`;
  const stamp = `${root}.peers/${name}.stamp`;
  if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(peer)) return;
  console.log(`building ${name} …`);
  const started = Date.now();
  const args = ['build', '-trimpath', '-ldflags', peer.ldflags ?? '-s -w', '-o', target, peer.package];
  const result = spawnSync('go', args, {
    cwd: `${root}test/peers/${peer.module}`,
    env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status !== 0) {
    console.error(
      `building ${name} failed (${result.error?.message ?? `exit code ${result.status}`}); Go 1.26 or later is needed`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, stampOf(peer));
  console.log(`built ${name} in ${Math.round((Date.now() - started) / 1000)} s`);
}

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (peers[name] !== undefined) continue;
  console.error(`unknown peer ${name}; known are ${Object.keys(peers).join(', ')}`);
  process.exit(2);
}
mkdirSync(bin, { recursive: true });
for (const [name, peer] of Object.entries(peers)) if (wanted.length === 0 || wanted.includes(name)) build(name, peer);
