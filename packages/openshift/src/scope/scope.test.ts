import { describe, expect, it } from 'vitest';
import type { Infrastructure } from '../api/index.js';
import { decideScope } from './scope.js';

const version = '4.20.0';

function infrastructure(status: object): Infrastructure {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    status: {
      infrastructureName: 'demo',
      apiServerInternalURI: 'https://api-int.example.com:6443',
      platformStatus: { type: 'AWS' },
      ...status,
    },
  };
}

function scope(names: readonly string[], status: object = {}) {
  return decideScope({ type: 'known', isEnabled: (name) => names.includes(name) }, infrastructure(status), version);
}

describe('scope', () => {
  const old = ['ClusterAPIEnabled'];
  it.each([
    { name: 'is off without the feature gate', names: [], status: {}, then: 'off' },
    { name: 'is on with the gate of the tech preview', names: old, status: {}, then: 'on' },
    {
      name: 'is on with the current gates',
      names: ['ClusterAPIMachineManagement', 'ClusterAPIMachineManagementAWS'],
      status: {},
      then: 'on',
    },
    {
      name: 'is unsupported on a platform whose own gate is disabled',
      names: ['ClusterAPIMachineManagement', 'ClusterAPIMachineManagementGCP'],
      status: {},
      then: 'unsupported',
    },
    {
      name: 'is on for Nutanix, which has no gate of its own',
      names: ['ClusterAPIMachineManagement'],
      status: { platformStatus: { type: 'Nutanix' } },
      then: 'on',
    },
    {
      name: 'is unsupported on an unknown platform [operators 23]',
      names: old,
      status: { platformStatus: { type: 'None' } },
      then: 'unsupported',
    },
    {
      name: 'is unsupported without a platform',
      names: old,
      status: { platformStatus: undefined },
      then: 'unsupported',
    },
    {
      name: 'is unsupported on Azure Stack',
      names: old,
      status: { platformStatus: { type: 'Azure', azure: { cloudName: 'AzureStackCloud' } } },
      then: 'unsupported',
    },
    {
      name: 'is invalid without an infrastructure name',
      names: old,
      status: { infrastructureName: '' },
      then: 'invalid',
    },
    {
      name: 'is invalid with a URI without a port [operators 1]',
      names: old,
      status: { apiServerInternalURI: 'https://api-int.example.com' },
      then: 'invalid',
    },
    {
      name: 'is invalid with an invalid URI',
      names: old,
      status: { apiServerInternalURI: 'api:6443' },
      then: 'invalid',
    },
  ])('$name', ({ names, status, then }) => {
    expect(scope(names, status).type).toBe(then);
  });

  it('reads host and port from apiServerInternalURI, including the default port of the scheme [operators 1]', () => {
    expect(scope(old)).toMatchObject({ endpoint: { host: 'api-int.example.com', port: 6443 } });
    expect(scope(old, { apiServerInternalURI: 'https://[fd00::1]:443/' })).toMatchObject({
      endpoint: { host: 'fd00::1', port: 443 },
    });
  });

  it('waits for unknown feature gates and reports invalid ones [operators 22]', () => {
    expect(decideScope({ type: 'pending', message: 'x' }, undefined, version).type).toBe('pending');
    expect(decideScope({ type: 'invalid', message: 'x' }, undefined, version).type).toBe('invalid');
  });

  it('migrates on AWS, and on OpenStack if its feature gate is enabled', () => {
    const openstack = { platformStatus: { type: 'OpenStack' } };
    expect(scope([...old, 'MachineAPIMigration'])).toMatchObject({ isMigrating: true });
    expect(scope([...old, 'MachineAPIMigration'], openstack)).toMatchObject({ isMigrating: false });
    expect(scope([...old, 'MachineAPIMigration', 'MachineAPIMigrationOpenStack'], openstack)).toMatchObject({
      isMigrating: true,
    });
  });
});
