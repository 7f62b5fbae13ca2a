import { type Disposable, Scope } from '@slipway/base';
import { clusterNameOf } from '@slipway/cluster-api';
import {
  type Controller,
  createController,
  done,
  ifPresent,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  secrets,
} from '@slipway/runtime';
import { isLoadBalancer, loadBalancerConfiguration, parseAuthority, vsphereVms } from '@slipway/vsphere';
import { HaproxyGuest } from './haproxy-guest.js';

/** Applies an HAProxy configuration to the VM with this address. `configuration` is undefined after the VM was deleted. */
export type RunHaproxy = (address: string, configuration: string | undefined, cluster: ObjectKey) => Promise<void>;

/** Returns the loopback address of a simulated guest, for example 127.20.0.7 for 10.20.0.7. */
export function reachSimulatedGuest(address: string): string {
  return address.replace(/^\d+\./, '127.');
}

/** Creates the controller that simulates the VMs of HAProxyLoadBalancers. */
export function createHaproxyGuestController(run: RunHaproxy): Controller {
  const guests = new Map<string, Disposable>();
  const stop = async (key: ObjectKey): Promise<void> => {
    const running = guests.get(textOf(key));
    guests.delete(textOf(key));
    await running?.dispose();
  };
  const end = async (): Promise<void> => {
    const scope = new Scope();
    for (const guest of guests.values()) scope.add(guest);
    guests.clear();
    await scope.dispose();
  };
  return createController({
    name: 'simulated-haproxy',
    for: vsphereVms,
    filter: ({ object }) => isLoadBalancer(object as Parameters<typeof isLoadBalancer>[0]),
    triggers: [() => ({ dispose: end })],
    async reconcile(key, context): Promise<Outcome> {
      const vm = context.sources.sourceFor(vsphereVms).get(key);
      if (vm === undefined || isDeleting(vm)) {
        await stop(key);
        return done();
      }
      const [address] = vm.status?.ready === true ? (vm.status.addresses ?? []) : [];
      if (address === undefined || guests.has(textOf(key))) return done();
      const cluster = { namespace: key.namespace, name: clusterNameOf({ metadata: vm.metadata }) ?? '' };
      const guest = await startGuest(context, key, address, (text) => run(address, text, cluster));
      if (guest !== undefined) guests.set(textOf(key), guest);
      return done();
    },
  });
}

async function startGuest(
  { read, clock, random, signal }: ReconcileContext,
  { namespace, name }: ObjectKey,
  address: string,
  run: (configuration: string | undefined) => Promise<void>,
): Promise<Disposable | undefined> {
  const key = { namespace, name: `${name.replace(/-lb$/, '')}-haproxy-ca` };
  const secret = await ifPresent(read.get(secrets, key, { signal }));
  const text = (field: string): string => Buffer.from(secret?.data?.[field] ?? '', 'base64').toString('utf8');
  if (secret === undefined) return undefined;
  const user = { username: text('username'), password: text('password') };
  const guest = await HaproxyGuest.start({
    clock,
    random,
    host: reachSimulatedGuest(address),
    addresses: [address],
    authority: parseAuthority({ authority: text('ca.cert'), authorityKey: text('ca.key') }),
    ...user,
    configuration: loadBalancerConfiguration(user, []),
    run,
  });
  return {
    async dispose() {
      await guest.dispose();
      await run(undefined);
    },
  };
}

function textOf({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
