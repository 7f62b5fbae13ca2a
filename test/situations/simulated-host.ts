import { clusters, machineOwnersOf, machines } from '@slipway/cluster-api';
import type { Dev } from '@slipway/dev';
import { createHostControllers, hostAdmission, hostKinds } from '@slipway/host';
import { type Controller, createController, done, wait, watch } from '@slipway/runtime';
import { hostMachines } from '../../packages/host/src/api/index.js';
import type { MachineState } from '../../packages/host/src/engine/index.js';
import { FakeEngine } from '../../packages/host/test/fake-engine.js';
import type { SimulatedPlaneProvider } from '../../packages/insight/test/simulated-plane.js';

/** Simulated time in which the bootstrap commands of a machine run. */
const bootstrapMs = 5_000;

/** Simulates the machines of this host. Their bootstrap succeeds when the simulated guest has booted. */
class SimulatedHost extends FakeEngine {
  readonly booted = new Set<string>();

  constructor() {
    super();
    this.prepared.add('v1.35.0');
  }

  override machineState(id: string): Promise<MachineState> {
    const phase = this.machines.has(id) ? 'running' : 'absent';
    return Promise.resolve({ phase, bootstrap: this.booted.has(id) ? 'succeeded' : 'running', log: '/log' });
  }
}

/** Boots the simulated guest of the dev provider in each machine that was started. */
function createGuestController(engine: SimulatedHost, guests: Dev['guests']): Controller {
  const startedAt = new Map<string, number>();
  return createController({
    name: 'simulated-hostmachine',
    for: hostMachines,
    watches: [watch(machines, { map: () => [] }), watch(clusters, { map: () => [] })],
    reconcile: async (key, context) => {
      const host = context.sources.sourceFor(hostMachines).get(key);
      const { uid = '', name = '' } = host?.metadata ?? {};
      const address = host?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
      const { machine, cluster } = host === undefined ? {} : machineOwnersOf(context.sources, host);
      if (address === undefined || machine === undefined || cluster === undefined) return done();
      if (!engine.machines.has(uid) || engine.booted.has(uid)) return done();
      const startedMs = startedAt.get(uid) ?? context.clock.now();
      startedAt.set(uid, startedMs);
      const remainingMs = startedMs + bootstrapMs - context.clock.now();
      if (remainingMs > 0) return wait({ ms: remainingMs, reason: 'BootstrapRunning', message: '' });
      const providerId = engine.machines.get(uid)?.providerId ?? '';
      await guests.boot({ machine, cluster, name, uid, address, providerId }, context);
      engine.booted.add(uid);
      return done();
    },
  });
}

export const hostProvider: SimulatedPlaneProvider = {
  kinds: hostKinds,
  conversions: [],
  admissions: hostAdmission,
  sets: ({ guests }) => {
    const engine = new SimulatedHost();
    return [
      createHostControllers(engine),
      {
        name: 'simulated-guests',
        controllers: [
          { name: 'simulated-hostmachine', concurrencyDefault: 1, create: () => createGuestController(engine, guests) },
        ],
      },
    ];
  },
};
