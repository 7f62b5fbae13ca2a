import type { Dev } from '@slipway/dev';
import {
  createKVMControllers,
  type DesiredMachine,
  kvmAdmission,
  kvmConversions,
  kvmKinds,
  type VirtualMachineService,
  type VmReport,
} from '@slipway/kvm';
import type {
  EndpointProgress,
  EndpointRequest,
  EndpointService,
} from '../../packages/kvm/src/cluster/endpoint-service.js';
import { done, keyOf, type ReconcileContext, wait } from '@slipway/runtime';
import type { SimulatedPlaneProvider } from '../../packages/insight/test/simulated-plane.js';

/** Simulated time in which an image is downloaded, disks are created and a machine boots. */
const stepMs = 5_000;
const steps = ['ImageReady', 'DisksReady', 'VMProvisioned'] as const;
const reasons = { ImageReady: 'ImageDownloading', DisksReady: 'Starting', VMProvisioned: 'Starting' } as const;

/** Simulates QEMU in the place of a backend of the KVM provider. The simulated guests of the dev provider boot in it. */
class SimulatedVms implements VirtualMachineService {
  readonly hostName = 'here';
  readonly #startedAt = new Map<string, number>();

  constructor(
    readonly backend: 'local' | 'pod',
    private readonly guests: Dev['guests'],
  ) {}

  async ensure(desired: DesiredMachine, context: ReconcileContext): Promise<VmReport> {
    const { uuid, kvmMachine, machine, cluster } = desired;
    const startedAt = this.#startedAt.get(uuid) ?? context.clock.now();
    this.#startedAt.set(uuid, startedAt);
    const reached = Math.floor((context.clock.now() - startedAt) / stepMs);
    const missing = steps[reached];
    const conditions = steps
      .slice(0, reached)
      .map((type) => ({ type, status: 'True' as const, reason: 'Ready', message: '' }));
    if (missing !== undefined) {
      const reason = reasons[missing];
      const failed = { type: missing, status: 'False' as const, reason, message: `Waiting for ${missing}` };
      const outcome = wait({ ms: stepMs, reason, message: failed.message });
      return { state: 'pending', conditions: [...conditions, failed], addresses: [], outcome };
    }
    const address = `172.30.0.${10 + [...this.#startedAt.keys()].indexOf(uuid)}`;
    const { name, uid = '' } = { name: kvmMachine.metadata.name ?? '', uid: kvmMachine.metadata.uid };
    await this.guests.boot({ machine, cluster, name, uid, address, providerId: `kvm://${uuid}` }, context);
    const running = { type: 'VMRunning', status: 'True' as const, reason: 'Ready', message: '' };
    return {
      state: 'running',
      conditions: [...conditions, running],
      addresses: [{ type: 'InternalIP', address }],
      vm: { apiServer: { host: address, port: 6_443 } },
      outcome: done(),
    };
  }

  remove(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** Simulates every way to expose a control plane: the endpoint is known immediately and leads to the simulated guests. */
class SimulatedEndpoint implements EndpointService {
  readonly types = [
    'External',
    'KubeVip',
    'HAProxy',
    'Service',
    'Ingress',
    'Gateway',
  ] as unknown as EndpointService['types'];

  constructor(private readonly guests: Dev['guests']) {}

  async ensure({ cluster, members }: EndpointRequest): Promise<EndpointProgress> {
    const endpoint = { host: '10.9.0.1', port: 6_443 };
    await this.guests.reserve(keyOf(cluster), endpoint);
    return { endpoint, attached: members.map(({ name }) => name), outcome: done() };
  }

  remove(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

export const kvmProvider: SimulatedPlaneProvider = {
  kinds: kvmKinds,
  conversions: kvmConversions,
  admissions: kvmAdmission,
  sets: ({ guests }) => [
    createKVMControllers(() => ({
      services: [new SimulatedVms('local', guests), new SimulatedVms('pod', guests)],
      endpoints: [new SimulatedEndpoint(guests)],
    })),
  ],
};
