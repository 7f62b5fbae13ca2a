import fc from 'fast-check';
import { expect, it } from 'vitest';
import { updateClusterConfiguration } from './cluster-configuration.js';
import { parseImage } from './add-ons.js';
import { migrateCorefile, parseCoreDnsVersion } from './corefile.js';
import { WorkloadError } from './control-plane-workload.js';

const sample = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.34.0
dns: { imageRepository: registry.k8s.io/coredns, imageTag: v1.12.1 }
etcd: { local: { dataDir: /var/lib/etcd } }
`;
const damaged = fc
  .array(fc.record({ at: fc.nat(sample.length), length: fc.nat(20), text: fc.string({ maxLength: 12 }) }), {
    maxLength: 5,
  })
  .map((edits) =>
    edits.reduce((text, { at, length, text: by }) => text.slice(0, at) + by + text.slice(at + length), sample),
  );
const imageLike = fc
  .array(fc.constantFrom('a', '/', ':', '@', 'sha256:', 'v1.2.3', '.', '-', ' ', 'é'))
  .map((parts) => parts.join(''));

/** Text in a workload cluster is untrusted input. */
const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ['the ClusterConfiguration', (text) => updateClusterConfiguration(text, { version: 'v1.35.0' })],
  ['an image', parseImage],
  ['the version of CoreDNS', parseCoreDnsVersion],
  ['a Corefile', (text) => migrateCorefile(text, 'v1.11.1', 'v1.12.1')],
];

it.each(readers)('%s is parsed or rejected with a readable error', (_, read) => {
  const isReadOrRefused = (text: string): boolean => {
    try {
      read(text);
      return true;
    } catch (error) {
      return error instanceof WorkloadError;
    }
  };
  const text = fc.oneof(damaged, imageLike, fc.string());
  expect(() => fc.assert(fc.property(text, isReadOrRefused))).not.toThrow();
});
