import { networkInterfaces } from 'node:os';
import type { Frozen } from '@slipway/kube';
import { keyOf, type ReconcileContext, wait } from '@slipway/runtime';
import { type KVMCluster, kvmClusters } from '../api/index.js';
import type { EndpointProgress, EndpointRequest, EndpointService } from '../cluster/endpoint-service.js';
import { type BalancerSpec, type HaproxyBalancers, HaproxyError } from './haproxy/index.js';

const portFirst = 6443;
const portsTried = 200;
/**
 * Interval at which the health of HAProxy is polled, because HAProxy does not report health changes. The condition is at most
 * this old.
 */
const pollMs = 30_000;

/** HAProxy on this host. */
export class HaproxyEndpoint implements EndpointService {
  readonly types = ['HAProxy'] as const;
  readonly #balancers: HaproxyBalancers;

  constructor(balancers: HaproxyBalancers) {
    this.#balancers = balancers;
  }

  async ensure(request: EndpointRequest, context: ReconcileContext): Promise<EndpointProgress> {
    const { members, exposure, kvmCluster } = request;
    const id = balancerIdOf(kvmCluster);
    const { host: givenHost = '', port: givenPort } = kvmCluster.spec?.controlPlaneEndpoint ?? {};
    const host = exposure.bindAddress ?? hostAddress();
    const servers = members.map(({ name, host: address, port, isLeaving }) => ({
      name,
      host: address,
      port,
      isDraining: isLeaving,
    }));
    const known = givenPort ?? (await this.#balancers.boundPort(id));
    const isCurrent =
      known !== undefined && (await this.#balancers.isCurrent({ id, servers, bind: { host, port: known } }));
    const port = isCurrent
      ? known
      : await context.change({
          verb: 'call',
          resource: kvmClusters,
          key: keyOf(kvmCluster),
          action: 'configure HAProxy',
          reason: 'EndpointChanged',
          message: `Configuring HAProxy for ${servers.length} API servers of KVMCluster ${kvmCluster.metadata.name ?? ''}`,
          run: () => this.#listen({ id, servers, host, ...(known !== undefined && { port: known }) }),
        });
    const health = (await this.#balancers.health(id)) ?? {};
    const staying = members.filter(({ isLeaving }) => !isLeaving).map(({ name }) => name);
    const answers = staying.some((name) => health[name] === true);
    const problem = { reason: 'NoServerReady', message: 'no API server behind HAProxy is ready' };
    return {
      endpoint: { host: givenHost === '' ? host : givenHost, port },
      ...(staying.length > 0 && !answers && { problem }),
      attached: staying,
      outcome: wait({
        ms: pollMs,
        reason: 'WatchingHAProxy',
        message: 'Waiting to check the health of the API servers again',
      }),
    };
  }

  async remove(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<undefined> {
    const id = balancerIdOf(kvmCluster);
    if (await this.#balancers.has(id))
      await context.change({
        verb: 'call',
        resource: kvmClusters,
        key: keyOf(kvmCluster),
        action: 'stop HAProxy',
        reason: 'Deleting',
        message: `Stopping HAProxy of KVMCluster ${kvmCluster.metadata.name ?? ''}`,
        run: () => this.#balancers.remove(id),
      });
  }

  /**
   * Listens on the given port, or on the first free one. A balancer that already listens keeps its port, so that a process
   * that was killed before it recorded the endpoint does not leave a second balancer behind.
   */
  async #listen({
    host,
    port,
    ...rest
  }: Omit<BalancerSpec, 'bind'> & { host: string; port?: number }): Promise<number> {
    const candidates =
      port === undefined ? Array.from({ length: portsTried }, (_, index) => portFirst + index) : [port];
    let last: unknown;
    for (const candidate of candidates) {
      try {
        await this.#balancers.ensure({ ...rest, bind: { host, port: candidate } });
        return candidate;
      } catch (error) {
        if (!(error instanceof HaproxyError) || error.reason !== 'EndpointPortTaken') throw error;
        last = error;
      }
    }
    throw last;
  }
}

/**
 * Returns the balancer ID from namespace and name. They stay the same in a move to another management cluster; the uid does not.
 */
function balancerIdOf({ metadata }: Frozen<KVMCluster>): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/**
 * Returns the first external address of this host. Guests in user-mode networks reach it too, because QEMU connects on their
 * behalf; a loopback address would be that of the guest itself.
 */
function hostAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
