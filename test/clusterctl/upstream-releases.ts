import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { componentsFiles, manifestLabel, type ProviderType } from '@slipway/clusterctl';
import { peerBinary } from '../support/peer-process.js';

const version = 'v1.14.2';
const providers: readonly { readonly name: string; readonly type: ProviderType; readonly config: string }[] = [
  { name: 'cluster-api', type: 'CoreProvider', config: 'core/config/default' },
  { name: 'kubeadm', type: 'BootstrapProvider', config: 'bootstrap/kubeadm/config/default' },
  { name: 'kubeadm', type: 'ControlPlaneProvider', config: 'controlplane/kubeadm/config/default' },
];

/** Builds a repository of upstream's providers from source, as in a release. Returns the path of its clusterctl.yaml. */
export function writeUpstreamReleases(folder: string): string {
  const cwd = fileURLToPath(new URL('../peers/cluster-api', import.meta.url));
  const env = { ...process.env, GOFLAGS: '-mod=mod' };
  const args = ['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/cluster-api'];
  const module = execFileSync('go', args, { cwd, env, encoding: 'utf8' }).trim();
  const configs = providers.map(({ name, type, config }) => {
    const place = join(folder, manifestLabel(name, type), version);
    mkdirSync(place, { recursive: true });
    const built = execFileSync(peerBinary('kubectl'), ['kustomize', join(module, config)], {
      maxBuffer: 64 * 1024 * 1024,
    });
    writeFileSync(join(place, componentsFiles[type]), built);
    const releaseSeries = [{ major: 1, minor: 14, contract: 'v1beta2' }];
    const metadata = { apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3', kind: 'Metadata', releaseSeries };
    writeFileSync(join(place, 'metadata.yaml'), JSON.stringify(metadata));
    return { name, type, url: join(place, componentsFiles[type]) };
  });
  const file = join(folder, 'clusterctl.yaml');
  writeFileSync(file, JSON.stringify({ providers: configs }));
  return file;
}
