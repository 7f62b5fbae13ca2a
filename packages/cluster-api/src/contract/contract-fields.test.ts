import { describe, expect, it } from 'vitest';
import { bootstrapConfig } from './bootstrap-config.js';
import { cloneTemplate } from './clone-template.js';
import { controlPlane } from './control-plane.js';
import type { ProviderObject } from './fields.js';
import { infrastructureCluster } from './infrastructure-cluster.js';
import { infrastructureMachine } from './infrastructure-machine.js';

function provided(spec: object, status: object): ProviderObject {
  return { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'one' }, spec, status } as ProviderObject;
}

describe('the contract of infrastructure clusters', () => {
  it('reads the paths of both contracts', () => {
    const spec = { controlPlaneEndpoint: { host: 'a', port: 6443 } };
    const now = provided(spec, {
      initialization: { provisioned: true },
      failureDomains: [
        { name: 'b', controlPlane: true },
        { name: 'a', attributes: { rack: '1' } },
      ],
    });
    const old = provided(spec, {
      ready: true,
      failureDomains: { b: { controlPlane: true }, a: { attributes: { rack: '1' } } },
    });
    const expected = {
      provisioned: true,
      endpoint: { host: 'a', port: 6443 },
      failureDomains: [
        { name: 'a', controlPlane: false, attributes: { rack: '1' } },
        { name: 'b', controlPlane: true },
      ],
    };
    expect(infrastructureCluster.read(now, 'v1beta2')).toEqual(expected);
    expect(infrastructureCluster.read(old, 'v1beta1')).toEqual(expected);
  });

  it('ignores fields of the wrong type', () => {
    const odd = provided({ controlPlaneEndpoint: 'here' }, { initialization: 'yes', failureDomains: 3 });
    expect(infrastructureCluster.read(odd, 'v1beta2')).toEqual({
      provisioned: false,
      endpoint: undefined,
      failureDomains: [],
    });
  });

  it('has no endpoint without a port', () => {
    const half = provided({ controlPlaneEndpoint: { host: 'a', port: 0 } }, {});
    expect(infrastructureCluster.read(half, 'v1beta2').endpoint).toBeUndefined();
  });
});

it('reads machines and bootstrap objects of both contracts', () => {
  const machine = provided(
    { providerID: 'x://1', failureDomain: 'old' },
    { ready: true, addresses: [{ type: 'InternalIP', address: '10.0.0.1' }, 'odd'], interruptible: true },
  );
  expect(infrastructureMachine.read(machine, 'v1beta1')).toEqual({
    provisioned: true,
    providerId: 'x://1',
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    failureDomain: undefined,
    specFailureDomain: 'old',
    interruptible: true,
  });
  expect(infrastructureMachine.read(machine, 'v1beta2').provisioned).toBe(false);
  const config = provided({}, { initialization: { dataSecretCreated: true }, dataSecretName: 's' });
  expect(bootstrapConfig.read(config, 'v1beta2')).toEqual({ dataSecretCreated: true, dataSecretName: 's' });
});

it('computes the available replicas of the v1beta1 contract from the unavailable ones', () => {
  const object = provided({ replicas: 3 }, { unavailableReplicas: 1, updatedReplicas: 2, initialized: true });
  const read = controlPlane.read(object, 'v1beta1');
  expect([read.availableReplicas, read.upToDateReplicas, read.initialized]).toEqual([2, 2, true]);
  expect(controlPlane.read(object, 'v1beta2')).toMatchObject({ initialized: false, availableReplicas: undefined });
});

it('clones the object that a template describes', () => {
  const template: ProviderObject = {
    apiVersion: 'infrastructure.x.io/v1',
    kind: 'BoatTemplate',
    metadata: { name: 'small' },
    spec: { template: { metadata: { labels: { size: 's', deck: 'wood' } }, spec: { sails: 2 } } },
  } as ProviderObject;
  const options = { name: 'boat-1', namespace: 'n', clusterName: 'fleet', labels: { size: 'm' } };
  expect(cloneTemplate(template, options)).toEqual({
    apiVersion: 'infrastructure.x.io/v1',
    kind: 'Boat',
    metadata: {
      name: 'boat-1',
      namespace: 'n',
      labels: { size: 'm', deck: 'wood', 'cluster.x-k8s.io/cluster-name': 'fleet' },
      annotations: {
        'cluster.x-k8s.io/cloned-from-name': 'small',
        'cluster.x-k8s.io/cloned-from-groupkind': 'BoatTemplate.infrastructure.x.io',
      },
    },
    spec: { sails: 2 },
  });
});
