import { randomBytes } from 'node:crypto';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import type { KVMCluster, KVMMachine, LocalService, VmRemoval, VmReport, DesiredMachine } from '@slipway/kvm';
import { ChangeExecutor, type Client, silentEventRecorder } from '@slipway/runtime';
import { bootstrapData } from './tiny-guest.js';

type Context = Parameters<LocalService['ensure']>[1];

/** The state of the server: every desired machine. */
const stored = new Map<string, DesiredMachine['kvmMachine']>();

const client = {
  get: async (_: unknown, { name }: { name: string }) => stored.get(name),
} as unknown as Client;
const executor = new ChangeExecutor({ client, clock: systemClock, controller: 'test' });

/** The part of a reconcile context that a backend uses. */
export const contextWith = (onEvent?: (reason: string) => void): Context =>
  ({
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    read: client,
    change: executor.change.bind(executor),
    events:
      onEvent === undefined
        ? silentEventRecorder
        : { record: (_: unknown, { reason }: { reason: string }) => onEvent(reason) },
    check: () => undefined,
  }) as unknown as Context;
export const context = contextWith();

/**
 * A random part of names: processes, cgroups, interfaces and segments are found by name on the whole host, where other tests may
 * run.
 */
const run = randomBytes(4).toString('hex');
const clusterName = `one-${run}`;

/** Returns a machine UUID that is unique to this run. */
export function uuidOf(number: number): string {
  const digits = (count: number): string => String(number).padStart(count, '0');
  return `${run}-${digits(4)}-4000-8000-${digits(12)}`;
}

export function desiredMachine(
  uuid: string,
  spec: NonNullable<KVMMachine['spec']>,
  data: { format: 'cloud-config' | 'ignition'; value: string } | string = bootstrapData,
  network: NonNullable<KVMCluster['spec']>['network'] = {},
): DesiredMachine {
  const { format, value } = typeof data === 'string' ? { format: 'cloud-config' as const, value: data } : data;
  const metadata = { namespace: 'default', name: `machine-${uuid.slice(-4)}`, uid: uuid };
  const version = 'infrastructure.cluster.x-k8s.io/v1beta2';
  const kvmMachine: KVMMachine = {
    apiVersion: version,
    kind: 'KVMMachine',
    metadata,
    spec: {
      ...spec,
      providerID: `kvm://${uuid}`,
      network: { ipAddresses: ['172.30.0.11/24'], ...spec.network },
    },
  };
  stored.set(metadata.name, kvmMachine);
  return {
    uuid,
    kvmMachine,
    kvmCluster: {
      apiVersion: version,
      kind: 'KVMCluster',
      metadata: { namespace: 'default', name: clusterName },
      spec: { network },
    },
    machine: { metadata, spec: { clusterName, bootstrap: {} } },
    cluster: { metadata: { namespace: 'default', name: clusterName }, spec: {} },
    isControlPlane: true,
    wasProvisioned: false,
    readBootstrapData: () => Promise.resolve({ format, value: Buffer.from(value), secretName: 'data' }),
  } as unknown as DesiredMachine;
}

/** Polls until the state is reached: a test has no controller that reacts to the service's requeue requests. */
export async function ensureUntil(
  service: LocalService,
  desired: DesiredMachine,
  holds: (report: VmReport) => boolean,
  deadlineMs = 240_000,
  reported = context,
): Promise<VmReport> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const report = await service.ensure(desired, reported);
    if (holds(report)) return report;
    if (Date.now() > end) throw new Error(`the machine did not get there: ${JSON.stringify(report, undefined, 2)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function removeAll(
  service: LocalService,
  { uuid, kvmMachine, kvmCluster }: DesiredMachine,
  graceSeconds = 0,
  reported = context,
): Promise<VmRemoval | undefined> {
  const spec = { ...kvmMachine.spec, shutdown: { gracePeriodSeconds: graceSeconds } };
  const deleting = { uuid, kvmMachine: { ...kvmMachine, spec }, kvmCluster };
  const end = Date.now() + 240_000;
  for (;;) {
    const left = await service.remove(deleting, reported);
    if (left === undefined || Date.now() > end) return left;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
