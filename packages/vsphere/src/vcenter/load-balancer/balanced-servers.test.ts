import { labels, type ObservedMachine } from '@slipway/cluster-api';
import { describe, expect, it } from 'vitest';
import { balancedServers } from './balanced-servers.js';

interface Facts {
  readonly name: string;
  readonly addresses?: readonly string[];
  readonly hasNode?: boolean;
  readonly isWorker?: boolean;
  readonly isDeleting?: boolean;
  readonly hasFailed?: boolean;
}

function machine({ name, addresses = ['10.0.0.1'], hasNode = true, ...rest }: Facts): ObservedMachine {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    spec: { clusterName: 'prod', bootstrap: {}, infrastructureRef: { apiGroup: 'x', kind: 'VSphereMachine', name } },
    metadata: {
      name,
      labels: rest.isWorker === true ? {} : { [labels.controlPlane]: '' },
      ...(rest.isDeleting === true && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    status: {
      addresses: [
        ...addresses.map((address) => ({ type: 'ExternalIP' as const, address })),
        { type: 'InternalDNS', address: name },
      ],
      ...(hasNode && { nodeRef: { name } }),
      ...(rest.hasFailed === true && { deprecated: { v1beta1: { failureReason: 'CreateError' } } }),
    },
  };
}

const rows: readonly { name: string; machines: readonly Facts[]; initialized?: boolean; servers: readonly string[] }[] =
  [
    { name: 'excludes workers', machines: [{ name: 'w', isWorker: true }], servers: [] },
    {
      name: 'includes the first control plane machine before it has a Node',
      machines: [{ name: 'a', hasNode: false }],
      initialized: false,
      servers: ['a-0'],
    },
    {
      name: 'excludes other machines without a Node',
      machines: [{ name: 'a' }, { name: 'b', hasNode: false }],
      servers: ['a-0'],
    },
    {
      name: 'excludes a failed machine',
      machines: [{ name: 'a', hasFailed: true }, { name: 'b' }],
      servers: ['b-0'],
    },
    {
      name: 'includes every address of a machine',
      machines: [{ name: 'a', addresses: ['10.0.0.1', '10.0.1.1'] }],
      servers: ['a-0', 'a-1'],
    },
    { name: 'ignores IPv6', machines: [{ name: 'a', addresses: ['fd00::1', '10.0.0.1'] }], servers: ['a-0'] },
    {
      name: 'drains a machine that is being deleted',
      machines: [{ name: 'a', isDeleting: true }, { name: 'b' }],
      servers: ['a-0 drains', 'b-0'],
    },
    {
      name: 'keeps the machines if all of them are being deleted',
      machines: [{ name: 'a', isDeleting: true }],
      servers: ['a-0'],
    },
  ];

describe('the servers behind a load balancer', () => {
  it.each(rows)('$name', ({ machines, initialized = true, servers }) => {
    const found = balancedServers(machines.map(machine), initialized);
    expect(found.map(({ name, isDraining }) => `${name}${isDraining ? ' drains' : ''}`)).toEqual(servers);
  });
});
