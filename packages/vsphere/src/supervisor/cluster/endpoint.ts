import { isIP } from 'node:net';
import { labels, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { labelIndex } from '@slipway/runtime';
import { type SupervisorMachine, supervisorMachines } from '../../api/index.js';
import { podFamilies } from '../ip-families.js';
import { apiServerPort } from '../names.js';
import { missingCertificateNames } from './certificate-names.js';
import { ensureLoadBalancer } from './load-balancer.js';
import type { ClusterScope } from './scope.js';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export type EndpointResult =
  | { readonly type: 'known'; readonly endpoint: Endpoint }
  /** The load balancer has no address yet. */
  | { readonly type: 'waitingForAddress' }
  /** The API server certificate would not contain these addresses. */
  | { readonly type: 'waitingForNames'; readonly names: readonly string[] }
  /** There is no load balancer, and no machine with an address yet. */
  | { readonly type: 'waitingForMachine' };

/**
 * Returns the control plane endpoint: the one that users set, or else the address of the load balancer or of the first machine.
 */
export async function findEndpoint(scope: ClusterScope): Promise<EndpointResult> {
  const given =
    endpointOf(scope.cluster.spec.controlPlaneEndpoint) ?? endpointOf(scope.vsphereCluster.spec?.controlPlaneEndpoint);
  if (given !== undefined) return { type: 'known', endpoint: given };
  if (scope.provider.hasLoadBalancer) {
    return balancedEndpoint(scope, await ensureLoadBalancer(scope));
  }
  const host = firstMachineAddress(scope);
  return host === undefined
    ? { type: 'waitingForMachine' }
    : { type: 'known', endpoint: { host, port: apiServerPort } };
}

async function balancedEndpoint(scope: ClusterScope, addresses: readonly string[]): Promise<EndpointResult> {
  const families = scope.features.IPv6DualStack ? podFamilies(scope.cluster) : [];
  const [primary] = families;
  if (addresses.length < Math.max(families.length, 1)) return { type: 'waitingForAddress' };
  const host = addresses.find((address) => primary === undefined || (isIP(address) === 6) === (primary === 'IPv6'));
  if (host === undefined) return { type: 'waitingForAddress' };
  const names = families.length > 1 ? await missingCertificateNames(scope, addresses) : [];
  if (names.length > 0) return { type: 'waitingForNames', names };
  return { type: 'known', endpoint: { host, port: apiServerPort } };
}

function endpointOf(given: { readonly host?: string; readonly port?: number } | undefined): Endpoint | undefined {
  const { host = '', port = 0 } = given ?? {};
  return host === '' || port === 0 ? undefined : { host, port };
}

function firstMachineAddress({ context, cluster }: ClusterScope): string | undefined {
  const { namespace = '', name = '' } = cluster.metadata;
  const ours = context.sources.sourceFor(machines).byIndex(labelIndex(labels.clusterName), `${namespace}/${name}`);
  for (const machine of ours) {
    if (!Object.hasOwn(machine.metadata.labels ?? {}, labels.controlPlane)) continue;
    if (machine.spec.bootstrap.dataSecretName === undefined) continue;
    const { infrastructureRef } = machine.spec;
    if (infrastructureRef.apiGroup !== supervisorMachines.group) continue;
    const vsphereMachine = context.sources
      .sourceFor(supervisorMachines)
      .get({ namespace, name: infrastructureRef.name });
    const address = addressOf(vsphereMachine);
    if (address !== undefined) return address;
  }
  return undefined;
}

export function addressOf(vsphereMachine: Frozen<SupervisorMachine> | undefined): string | undefined {
  return vsphereMachine?.status?.addresses?.[0]?.address;
}
