import type { JsonObject, KubeObject } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';
import { platformSamples } from '@slipway/simulators';
import { describe, expect, it } from 'vitest';
import { findPlatform, PlatformError, type PlatformFacts, platforms } from './index.js';

const endpoint = { host: 'api-int.example.com', port: 6443 };

function facts(
  type: string,
  changed: { spec?: JsonObject; status?: JsonObject; providerSpec?: JsonObject; secrets?: object } = {},
): PlatformFacts {
  const sample = platformSamples[type];
  const infrastructure: KubeObject = {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: { platformSpec: changed.spec ?? sample?.platformSpec ?? {} },
    status: { platformStatus: changed.status ?? sample?.platformStatus ?? {} },
  };
  const secrets = (changed.secrets ?? sample?.secrets ?? {}) as Record<string, Record<string, string>>;
  return {
    infrastructure,
    infraName: 'demo',
    endpoint,
    providerSpec: changed.providerSpec ?? sample?.providerSpec,
    networks: { networkId: 'n', routerId: 'r', externalNetworkId: 'e' },
    secret: ({ namespace, name }) => {
      const values = secrets[`${namespace}/${name}`];
      if (values === undefined) return undefined;
      const data = Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
      );
      return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data } as Secret;
    },
  };
}

const desired = (type: string, changed = {}) => findPlatform(type)?.infraCluster(facts(type, changed));

describe('the InfraCluster', () => {
  it('is created from existing objects on every platform [R28]', () => {
    const specs = Object.fromEntries(platforms.map(({ type }) => [type, desired(type)?.spec]));
    expect(specs).toMatchSnapshot();
  });

  it('of OpenStack has its status set by the provider, and the IP address of the cluster [operators 27]', () => {
    expect(desired('OpenStack')).toMatchObject({
      isManagedByUs: false,
      spec: { controlPlaneEndpoint: { host: '10.0.0.5', port: 6443 } },
    });
    expect(platforms.filter(({ type }) => desired(type)?.isManagedByUs === false).map(({ type }) => type)).toEqual([
      'OpenStack',
    ]);
  });

  it('of Azure waits for the credentials, and has an identity that is updated [operators 27, operators 32]', () => {
    const { companions = [] } = desired('Azure') ?? {};
    expect(companions.map(({ kind }) => kind)).toEqual(['Secret', 'AzureClusterIdentity']);
    expect(companions[0]).not.toHaveProperty('immutable');
    expect(() => desired('Azure', { secrets: {} })).toThrow(PlatformError);
    expect(() => desired('Azure', { secrets: {} })).toThrow(/azure_client_secret/);
  });

  it('of AWS uses the load balancer that ends in -int, in any order', () => {
    const both = [
      { name: 'x-int', type: 'classic' },
      { name: 'x-ext', type: 'network' },
    ];
    for (const loadBalancers of [both, [...both].reverse()])
      expect(desired('AWS', { providerSpec: { loadBalancers } })?.spec).toMatchObject({
        controlPlaneLoadBalancer: { name: 'x-int', loadBalancerType: 'classic', scheme: 'internal' },
        secondaryControlPlaneLoadBalancer: { name: 'x-ext', loadBalancerType: 'nlb', scheme: 'internet-facing' },
      });
  });

  it.each([
    { type: 'AWS', name: 'no load balancer', changed: { providerSpec: {} } },
    {
      type: 'AWS',
      name: 'three of them',
      changed: { providerSpec: { loadBalancers: ['a-int', 'b', 'c'].map((name) => ({ name, type: 'network' })) } },
    },
    {
      type: 'AWS',
      name: 'one of an unknown type',
      changed: { providerSpec: { loadBalancers: [{ name: 'a', type: 'x' }] } },
    },
    { type: 'Azure', name: 'Azure Stack', changed: { status: { azure: { cloudName: 'AzureStackCloud' } } } },
    {
      type: 'OpenStack',
      name: 'a load balancer of the user',
      changed: { status: { openstack: { loadBalancer: { type: 'UserManaged' }, apiServerInternalIPs: ['1.2.3.4'] } } },
    },
    { type: 'OpenStack', name: 'no address', changed: { status: { openstack: {} } } },
    { type: 'VSphere', name: 'no vCenter', changed: { spec: {}, providerSpec: {} } },
    { type: 'VSphere', name: 'no credentials', changed: { secrets: {} } },
    {
      type: 'PowerVS',
      name: 'a network of an unknown type',
      changed: { providerSpec: { serviceInstance: { type: 'ID', id: 'x' }, network: { type: 'Colour' } } },
    },
    { type: 'Nutanix', name: 'no Prism Central', changed: { spec: { nutanix: {} } } },
  ])('of $type is rejected with $name', ({ type, changed }) => {
    expect(() => desired(type, changed)).toThrow(PlatformError);
  });

  it('of GCP uses the project of the machines in older clusters', () => {
    expect(desired('GCP', { spec: { type: 'GCP' }, providerSpec: { projectID: 'old' } })?.spec).toMatchObject({
      project: 'old',
    });
  });

  it('of vSphere uses the first of several vCenters', () => {
    const spec = { vsphere: { vcenters: [{ server: 'vcenter.example.com' }, { server: 'other' }] } };
    expect(desired('VSphere', { spec, providerSpec: {} })?.spec).toMatchObject({ server: 'vcenter.example.com' });
  });
});
