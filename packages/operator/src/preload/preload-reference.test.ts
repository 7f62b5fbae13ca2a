import type { ProviderType } from '@slipway/clusterctl';
import { describe, expect, it } from 'vitest';
import { parsePreloadReference } from './preload-reference.js';

describe('preload reference', () => {
  const rows: [type: ProviderType, text: string, then: object][] = [
    ['CoreProvider', 'cluster-api', { name: 'cluster-api', namespace: 'capi-system' }],
    ['BootstrapProvider', 'kubeadm', { name: 'kubeadm', namespace: 'capi-kubeadm-bootstrap-system' }],
    ['ControlPlaneProvider', 'kubeadm::v1.2.3', { namespace: 'capi-kubeadm-control-plane-system', version: 'v1.2.3' }],
    ['InfrastructureProvider', 'aws:capa-system', { name: 'aws', namespace: 'capa-system' }],
    ['InfrastructureProvider', 'aws:capa-system:v2.9.0', { namespace: 'capa-system', version: 'v2.9.0' }],
    ['IPAMProvider', 'in-cluster', { namespace: 'in-cluster-ipam-system' }],
    ['AddonProvider', 'helm', { namespace: 'helm-addon-system' }],
    ['RuntimeExtensionProvider', 'nutanix', { namespace: 'nutanix-runtime-extension-system' }],
  ];
  it.each(rows)('%s %s', (type, text, then) => {
    expect(parsePreloadReference(type, text)).toMatchObject({ type, ...then });
  });

  it.each(['', ':a', 'a:b:', 'a:b:c:d', 'not a name'])('rejects "%s"', (text) => {
    expect(() => parsePreloadReference('AddonProvider', text)).toThrow(/invalid provider/);
  });
});
