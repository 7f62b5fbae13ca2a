import { ensureServerIdentity, KubernetesServer, memoryIdentityFiles, openMemoryStore } from '@slipway/apiserver';
import { type Disposable, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import {
  clusterApiKinds,
  clusterApiConversions,
  contractVersionsFrom,
  createConverters,
  type Machine,
  machines,
} from '@slipway/cluster-api';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { type CertificateSigningRequest, certificateSigningRequests, coreEvents } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientRequest, clientTemplate } from '../src/approver/testing/requests.js';
import { createApprover, nodeBootstrapper } from '../src/index.js';

interface Side {
  readonly client: InProcessClient;
  readonly kubelet: InProcessClient;
  readonly server: KubernetesServer;
  stop(): Promise<void>;
}

async function startSide(clock: VirtualClock, withKinds: boolean): Promise<Side> {
  const random = seededRandom(1);
  const store = await openMemoryStore({ clock });
  const dependencies = { clock, random, keys: new KeyPool({ size: 0 }), files: memoryIdentityFiles() };
  const identity = await ensureServerIdentity(dependencies, { keyAlgorithm: 'ECDSA' });
  const server = await KubernetesServer.start({ store, clock, random, logger: silentLogger, identity });
  const client = new InProcessClient({ registry: server.registry });
  const converters = createConverters(
    clusterApiConversions,
    contractVersionsFrom((name) => findDefinition(store, name)),
  );
  const kinds = { name: 'test', kinds: withKinds ? clusterApiKinds : [], converters, rules: [] };
  const installed = withKinds ? await installKinds(server, client, kinds, { clock, random }) : undefined;
  return {
    client,
    kubelet: new InProcessClient({ registry: server.registry, user: nodeBootstrapper }),
    server,
    async stop() {
      await installed?.dispose();
      await server.stop();
      await store.close();
    },
  };
}

function machineOf(name: string): Machine {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { namespace: 'default', name },
    spec: {
      clusterName: 'spoke',
      bootstrap: { dataSecretName: 'x' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name },
    },
  };
}

/** The Machines are in a management cluster, and the requests of kubelets are in the workload cluster. */
describe('the approver between two clusters', () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  let hub: Side;
  let spoke: Side;
  let running: Disposable;
  beforeAll(async () => {
    [hub, spoke] = [await startSide(clock, true), await startSide(clock, false)];
    running = await startEmbeddedControllers({
      server: spoke.server,
      sets: [
        createApprover({
          apis: [{ group: 'cluster.x-k8s.io' }, { group: 'machine.openshift.io' }],
          machineReader: hub.client,
        }),
      ],
      clock,
      random: seededRandom(2),
      logger: silentLogger,
    });
  });
  afterAll(async () => {
    await running.dispose();
    await hub.stop();
    await spoke.stop();
  });

  async function ask(name: string, nodeName: string): Promise<void> {
    const subject = { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] };
    const request = await clientRequest({ template: { ...clientTemplate, subject } });
    const { username: _username, groups: _groups, ...spec } = request.spec;
    await spoke.kubelet.create(certificateSigningRequests, { ...request, metadata: { name }, spec });
  }
  const conditions = async (name: string): Promise<string[]> => {
    const request: CertificateSigningRequest = (await spoke.client.get(certificateSigningRequests, {
      namespace: '',
      name,
    })) as never;
    return (request.status?.conditions ?? []).map(({ type, reason }) => `${type} ${reason ?? ''}`);
  };

  it('approves for Machines of the management cluster without a cache delay [R13]', async () => {
    await ask('early', 'node-1');
    await clock.advance(2_000);
    expect(await conditions('early')).toEqual([]);
    await hub.client.create(machines, machineOf('node-1'));
    const status = { addresses: [{ type: 'InternalDNS', address: 'node-1' }] };
    await hub.client.patch(
      machines,
      { namespace: 'default', name: 'node-1' },
      { type: 'merge', patch: { status } },
      { subresource: 'status' },
    );
    await clock.advance(60_000);
    expect(await conditions('early')).toEqual(['Approved NodeCSRApprove']);
  });

  it('reads Machines uncached in the served version, and ignores a group that is not served [operators 49, operators 52]', async () => {
    await ask('again', 'node-1');
    await clock.advance(5_000);
    expect(await conditions('again')).toEqual(['Approved NodeCSRApprove']);
  });

  it('ignores unrelated requests and logs the reason [operators 46]', async () => {
    await ask('foreign', 'node-1.evil.example.com');
    await clock.advance(30_000);
    expect(await conditions('foreign')).toEqual([]);
    const events = (await spoke.client.list(coreEvents)).items.filter(
      ({ involvedObject }) => involvedObject.name === 'foreign',
    );
    expect(events.map(({ reason }) => reason)).toContain('NoMachine');
  });

  it('accepts an approval by another client [operators 50]', async () => {
    await ask('theirs', 'unknown');
    await clock.advance(1_000);
    const request = structuredClone(
      await spoke.client.get(certificateSigningRequests, { namespace: '', name: 'theirs' }),
    ) as CertificateSigningRequest;
    const approved = { type: 'Approved', status: 'True', reason: 'Person', message: 'kubectl' };
    await spoke.client.update(
      certificateSigningRequests,
      { ...request, status: { conditions: [approved] } },
      { subresource: 'approval' },
    );
    await clock.advance(30_000);
    expect(await conditions('theirs')).toEqual(['Approved Person']);
  });

  it('approves nothing while the pending limit is exceeded [operators 47]', async () => {
    for (let index = 0; index < 102; index += 1) await ask(`flood-${index}`, `nobody-${index}`);
    await ask('in-the-flood', 'node-1');
    await clock.advance(5_000);
    expect(await conditions('in-the-flood')).toEqual([]);
  });

  it('approves again once the pending limit is no longer exceeded [operators 47]', async () => {
    for (let index = 0; index < 102; index += 1)
      await spoke.client.delete(certificateSigningRequests, { namespace: '', name: `flood-${index}` });
    await clock.advance(5_000);
    expect(await conditions('in-the-flood')).toEqual(['Approved NodeCSRApprove']);
  });
});
