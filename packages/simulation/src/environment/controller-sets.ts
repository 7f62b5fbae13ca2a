import { clusterApiControllers } from '@slipway/cluster-api';
import {
  type ControlPlaneWorkload,
  createControlPlaneWorkload,
  createKubeadmControlPlaneController,
  kubeadmControllers,
  type WorkloadOpener,
} from '@slipway/kubeadm';
import { ConnectionError, type ControllerSet } from '@slipway/runtime';
import type { Provider } from '../providers/provider.js';
import type { Infrastructure } from '../providers/infrastructure.js';
import type { SimulatedProcess } from '../processes/simulated-process.js';

/** Returns all controllers of one process. The infrastructure outlives the process. */
export function controllerSets(
  provider: Provider,
  infrastructure: Infrastructure,
  process: SimulatedProcess,
): readonly ControllerSet[] {
  return [clusterApiControllers, kubeadmOver(infrastructure, process), ...provider.controllers(infrastructure)];
}

/** Returns the kubeadm controllers with an etcd client that calls the simulated etcd directly. */
function kubeadmOver(infrastructure: Infrastructure, process: SimulatedProcess): ControllerSet {
  const openWorkload = workloadOpener(infrastructure, process);
  const controllers = kubeadmControllers.controllers.map((descriptor) =>
    descriptor.name === 'kubeadmcontrolplane'
      ? {
          ...descriptor,
          create: (context: Parameters<typeof descriptor.create>[0]) =>
            createKubeadmControlPlaneController(context, { openWorkload }),
        }
      : descriptor,
  );
  return { ...kubeadmControllers, controllers };
}

const yearMs = 365 * 86_400_000;

function workloadOpener(infrastructure: Infrastructure, process: SimulatedProcess): WorkloadOpener {
  return ({ cluster, workload: connected }, context) => {
    const { clock, logger, signal } = context;
    const workload = createControlPlaneWorkload({
      workload: connected,
      writer: context,
      clock,
      logger,
      signal,
      etcdCredentials: () => Promise.reject(new Error('etcd was called without credentials')),
      etcdDialer: async (nodeName) => {
        await process.awake();
        const found = infrastructure.isReachable(cluster) ? infrastructure.get(cluster) : undefined;
        if (found === undefined || !found.isUp)
          throw new ConnectionError('unreachable', 'cannot reach the workload cluster', { unsent: true });
        const { call, close } = found.ports.dialEtcd(nodeName);
        return { close, call: (rpc, request, options) => process.receive(call(rpc, request, options)) };
      },
    });
    // The real implementation reads the expiry in a TLS handshake, which the simulation does not have.
    const expiry: Pick<ControlPlaneWorkload, 'apiServerCertificateExpiry'> = {
      apiServerCertificateExpiry: () => Promise.resolve(clock.now() - (clock.now() % yearMs) + 2 * yearMs),
    };
    return new Proxy(workload, {
      get: (target, name): unknown => {
        const value: unknown = Reflect.get(name in expiry ? expiry : target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}
