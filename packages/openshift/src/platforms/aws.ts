import { listAt, textAt } from '@slipway/cluster-api';
import type { JsonObject, JsonValue } from '@slipway/kube';
import { awsCredentials } from './credentials.js';
import { machineSpec, type Platform, PlatformError, type PlatformFacts } from './platform.js';

export const aws: Platform = {
  type: 'AWS',
  provider: 'aws',
  gateSuffix: 'AWS',
  kindPrefix: 'AWS',
  version: 'v1beta2',
  needsProviderSpec: true,
  credentials: awsCredentials,
  infraCluster(facts) {
    const region = textAt(facts.infrastructure, 'status', 'platformStatus', 'aws', 'region') ?? '';
    return {
      isManagedByUs: true,
      spec: {
        region,
        controlPlaneEndpoint: { ...facts.endpoint },
        identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
        ...loadBalancers(facts),
        ...(isDualStack(facts) ? { network: { vpc: { ipv6: {} } } } : {}),
      },
    };
  },
};

function isDualStack({ infrastructure }: PlatformFacts): boolean {
  const family = textAt(infrastructure, 'status', 'platformStatus', 'aws', 'ipFamily') ?? '';
  return family.startsWith('DualStack');
}

interface LoadBalancer {
  readonly name: string;
  readonly loadBalancerType: string;
}

const types: Readonly<Record<string, string>> = { classic: 'classic', network: 'nlb' };

/** Returns one or two load balancers. If there are two, the one whose name ends in -int is internal, in any order. */
function loadBalancers({ providerSpec }: PlatformFacts): JsonObject {
  const given: readonly JsonValue[] = listAt(machineSpec({ providerSpec }), 'spec', 'loadBalancers');
  const found = given.map(readLoadBalancer);
  if (found.length === 0 || found.length > 2)
    throw new PlatformError(
      'InvalidConfiguration',
      `the control plane machines refer to ${found.length} load balancers`,
      'configure one, or an internal and an external one',
    );
  const primary = found.length === 1 ? found[0] : found.find(({ name }) => name.endsWith('-int'));
  if (primary === undefined)
    throw new PlatformError('InvalidConfiguration', 'neither load balancer has a name that ends in -int');
  const secondary = found.find((one) => one !== primary);
  return {
    controlPlaneLoadBalancer: { ...primary, scheme: 'internal' },
    ...(secondary && { secondaryControlPlaneLoadBalancer: { ...secondary, scheme: 'internet-facing' } }),
  };
}

function readLoadBalancer(value: JsonValue): LoadBalancer {
  const { name, type } = value as { name?: JsonValue; type?: JsonValue };
  const loadBalancerType = typeof type === 'string' ? types[type] : undefined;
  if (typeof name !== 'string' || loadBalancerType === undefined)
    throw new PlatformError(
      'InvalidConfiguration',
      `load balancer ${JSON.stringify(name)} has unsupported type ${JSON.stringify(type)}`,
      'use classic or network',
    );
  return { name, loadBalancerType };
}
