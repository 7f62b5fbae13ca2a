import { describe, expect, it } from 'vitest';
import type { VSphereCluster, VSphereDeploymentZone } from '../../api/index.js';
import { summarizeZones } from './failure-domains.js';

const cluster = (failureDomainSelector?: object) =>
  ({ metadata: {}, spec: { server: 'vc.local', failureDomainSelector } }) as unknown as VSphereCluster;
const zone = (name: string, ready: boolean | undefined, spec: object = {}, labels: Record<string, string> = {}) =>
  ({
    metadata: { name, labels },
    spec: { server: 'vc.local', failureDomain: 'f', ...spec },
    status: { ready },
  }) as unknown as VSphereDeploymentZone;

describe('summarizeZones', () => {
  it('returns no failure domains without a selector', () => {
    expect(summarizeZones(cluster(), [zone('a', true)])).toBeUndefined();
  });

  it('lists zones that were not validated yet, and omits zones that are not ready [vsphere 35]', () => {
    const zones = [zone('c', undefined), zone('b', false), zone('a', true, { controlPlane: false })];
    expect(summarizeZones(cluster({}), zones)).toEqual({
      domains: [
        { name: 'a', controlPlane: false },
        { name: 'c', controlPlane: true },
      ],
      unreported: 1,
      notReady: 1,
    });
  });

  it('compares servers as strings [vsphere 36]', () => {
    const zones = [
      zone('a', true, { server: 'https://vc.local' }),
      zone('b', true, { server: 'VC.local' }),
      zone('c', true),
    ];
    expect(summarizeZones(cluster({}), zones)?.domains).toEqual([{ name: 'c', controlPlane: true }]);
  });

  it('selects zones by their labels', () => {
    const zones = [zone('a', true, {}, { tier: 'gold' }), zone('b', true)];
    expect(summarizeZones(cluster({ matchLabels: { tier: 'gold' } }), zones)?.domains.map(({ name }) => name)).toEqual([
      'a',
    ]);
  });
});
