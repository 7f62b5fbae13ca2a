import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, VirtualClock } from '@slipway/base';
import { notFound } from '@slipway/kube';
import { ChangeExecutor, type Client, type ObjectKey, type ReconcileContext, type Resource } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalService } from '../local/index.js';
import { HostingClusters, PodMachines, podSettingsDefault } from '../pod/index.js';
import type { DesiredMachine } from './vm-service.js';

const metadata = { namespace: 'default', name: 'm', uid: 'u' };
const desired = {
  uuid: '11111111-2222-3333-4444-555555555555',
  kvmMachine: { metadata, spec: {} },
  kvmCluster: { metadata: { ...metadata, name: 'c' }, spec: {} },
  machine: { metadata, spec: { clusterName: 'c', bootstrap: {} } },
  cluster: { metadata: { ...metadata, name: 'c' }, spec: {} },
  isControlPlane: false,
  wasProvisioned: false,
  readBootstrapData: async () => ({ format: 'cloud-config', value: new Uint8Array(), secretName: 's' }),
} as unknown as DesiredMachine;

/** An empty server that records created objects. */
function emptyServer(): { readonly context: ReconcileContext; readonly made: string[] } {
  const made: string[] = [];
  const client = {
    get: async ({ group, plural }: Resource, { name }: ObjectKey) => {
      throw notFound({ group, resource: plural }, name);
    },
    create: async ({ kind }: Resource) => void made.push(kind),
  } as unknown as Client;
  const executor = new ChangeExecutor({ client, clock: new VirtualClock(), controller: 'test' });
  const signal = new AbortController().signal;
  const context = { read: client, change: executor.change.bind(executor), signal, check: () => undefined };
  return { context: context as unknown as ReconcileContext, made };
}

describe('a deleted KVMMachine that is still in the cache', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'slipway-kvm-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('does not start a process on this host', async () => {
    const options = { stateDirectory: directory, runDirectory: directory, clock: new VirtualClock() };
    const service = new LocalService(options);
    await expect(service.ensure(desired, emptyServer().context)).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await readdir(directory)).toEqual([]);
    service.dispose();
  });

  it('does not create a pod', async () => {
    const { context, made } = emptyServer();
    const hosting = new HostingClusters({ clock: new VirtualClock(), random: seededRandom(1) });
    const service = new PodMachines(hosting, { ...podSettingsDefault, launcherImage: 'vmm:test' });
    await expect(service.ensure(desired, context)).rejects.toMatchObject({ reason: 'Conflict' });
    expect(made).toEqual([]);
    await hosting.dispose();
  });
});
