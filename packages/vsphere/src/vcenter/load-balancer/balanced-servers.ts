import { isIPv4 } from 'node:net';
import { type BalancedServer, isControlPlaneMachine, isDeleting, type ObservedMachine } from '@slipway/cluster-api';

const apiPort = 6443;

/**
 * Returns the API servers of a control plane. Until it is initialized, every machine is included, because the first one can
 * become ready only behind the load balancer. Afterwards, machines are included while they have a Node and have not failed. A
 * machine that is being deleted is drained, unless all machines are being deleted.
 */
export function balancedServers(machines: readonly ObservedMachine[], isInitialized: boolean): BalancedServer[] {
  const serving = machines
    .filter(isControlPlaneMachine)
    .filter(
      ({ status }) =>
        !isInitialized || (status?.nodeRef !== undefined && status.deprecated?.v1beta1?.failureReason === undefined),
    );
  const anyStays = serving.some((machine) => !isDeleting(machine));
  return serving.flatMap((machine) => {
    const addresses = (machine.status?.addresses ?? [])
      .filter(({ type, address }) => type === 'ExternalIP' && isIPv4(address))
      .map(({ address }) => address);
    return addresses.map((host, index) => ({
      name: `${machine.metadata.name}-${index}`,
      host,
      port: apiPort,
      isDraining: anyStays && isDeleting(machine),
    }));
  });
}
