import { ipAddressClaims, ipAddresses } from '@slipway/cluster-api';
import { notFound } from '@slipway/kube';
import { type ObjectKey, type ReconcileContext, type Resource, secrets } from '@slipway/runtime';
import { VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../engine/index.js';
import type { ObservedHostMachine } from './observe.js';
import { provisionMachine } from './provision.js';

const metadata = { namespace: 'default', name: 'm', uid: 'u' };
const observed = {
  hostMachine: { metadata },
  machine: { metadata, spec: { bootstrap: { dataSecretName: 'data' } } },
  cluster: { spec: {}, status: { initialization: { infrastructureProvisioned: true } } },
  hostCluster: { metadata: { ...metadata, name: 'c' } },
} as unknown as ObservedHostMachine;

/** A cache that shows the claim and the address of the machine. */
function cached(resource: Resource): unknown {
  if (resource === ipAddressClaims) return { status: { addressRef: { name: 'a' } } };
  return resource === ipAddresses ? { spec: { address: '10.0.0.1', prefix: 24 } } : undefined;
}

describe('a HostMachine that is gone, of which the cache has not heard', () => {
  it('is not started', async () => {
    const started: string[] = [];
    const value = Buffer.from('#cloud-config\n').toString('base64');
    const context = {
      clock: new VirtualClock(),
      sources: { sourceFor: (resource: Resource) => ({ get: () => cached(resource) }) },
      client: {
        get: async (resource: Resource, { name }: ObjectKey) => {
          if (resource === secrets) return { data: { value } };
          throw notFound({ group: resource.group, resource: resource.plural }, name);
        },
      },
      signal: new AbortController().signal,
      check: () => undefined,
    };
    const engine = {
      machineState: async () => ({ phase: 'absent', bootstrap: 'pending', log: '' }),
      problems: async () => [],
      nodeFiles: async () => ({}),
      startMachine: async ({ name }: { name: string }) => void started.push(name),
    };
    const run = provisionMachine(observed, context as unknown as ReconcileContext, engine as unknown as Engine);
    await expect(run).rejects.toMatchObject({ reason: 'Conflict' });
    expect(started).toEqual([]);
  });
});
