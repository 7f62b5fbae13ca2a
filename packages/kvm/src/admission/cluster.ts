import {
  cidrContains,
  type FieldError,
  forbiddenField,
  invalidField,
  isCidr,
  isIp,
  requiredField,
  tryParseCidr,
  tryParseIp,
} from '@slipway/kube';
import type { KVMCluster } from '../api/index.js';
import { addressProblems } from './addresses.js';

type Spec = NonNullable<KVMCluster['spec']>;

export function validateClusterSpec(path: string, spec: Spec | undefined): FieldError[] {
  if (spec === undefined) return [];
  return [
    ...validateNetwork(`${path}.network`, spec),
    ...validateExposure(path, spec),
    ...validateCidr(`${path}.dockerNetwork.cidr`, spec.dockerNetwork?.cidr),
  ];
}

function validateCidr(path: string, cidr: string | undefined): FieldError[] {
  return cidr === undefined || isCidr(cidr)
    ? []
    : [invalidField(path, cidr, 'must be a network such as 172.30.0.0/24')];
}

function validateNetwork(path: string, { network = {}, backend }: Spec): FieldError[] {
  const { mode, bridge, cidr, gateway, ipRange } = network;
  const errors = [
    ...validateCidr(`${path}.cidr`, cidr),
    ...addressProblems(`${path}.dnsServers`, network.dnsServers),
    ...optionalAddress(`${path}.gateway`, gateway),
  ];
  if (mode === 'bridge' && bridge === undefined)
    errors.push(requiredField(`${path}.bridge`, 'required with mode bridge'));
  if (mode === 'podBridge' && backend === 'local')
    errors.push(
      invalidField(`${path}.mode`, mode, 'requires backend pod; with backend local use segment, user or bridge'),
    );
  // Mode user is allowed with backend pod, for clusters of a single machine: it works in pods without permission to change their
  // network.
  if (mode !== undefined && mode !== 'podBridge' && mode !== 'user' && backend === 'pod')
    errors.push(invalidField(`${path}.mode`, mode, 'requires backend local; with backend pod use podBridge or user'));
  if (ipRange !== undefined && cidr === undefined) errors.push(requiredField(`${path}.cidr`, 'required with ipRange'));
  if (errors.length > 0 || cidr === undefined) return errors;
  return [...within(`${path}.gateway`, gateway, cidr), ...rangeProblems(`${path}.ipRange`, ipRange, cidr)];
}

function rangeProblems(path: string, range: string | undefined, cidr: string): FieldError[] {
  if (range === undefined) return [];
  if (isCidr(range)) return within(path, range.split('/')[0], cidr);
  const ends = range.split('-');
  if (ends.length !== 2 || !ends.every((end) => isIp(end)))
    return [invalidField(path, range, 'must be a range such as 172.30.0.10-172.30.0.99, or a CIDR block')];
  return ends.flatMap((end) => within(path, end, cidr));
}

function within(path: string, address: string | undefined, cidr: string): FieldError[] {
  if (address === undefined) return [];
  const [parsed, network] = [tryParseIp(address), tryParseCidr(cidr)];
  const isInside = parsed !== undefined && network !== undefined && cidrContains(network, parsed);
  return isInside ? [] : [invalidField(path, address, `must be in ${cidr}`)];
}

function validateExposure(path: string, { controlPlaneExposure: exposure, controlPlaneEndpoint }: Spec): FieldError[] {
  if (exposure === undefined) return [];
  const field = `${path}.controlPlaneExposure`;
  const { type, vip, bindAddress } = exposure;
  const errors = [...optionalAddress(`${field}.vip`, vip), ...optionalAddress(`${field}.bindAddress`, bindAddress)];
  if (type === 'Gateway' && exposure.gatewayRef === undefined)
    errors.push(requiredField(`${field}.gatewayRef`, 'required with type Gateway'));
  if (controlPlaneEndpoint?.host !== undefined) return errors;
  if ((type === 'Ingress' || type === 'Gateway') && exposure.baseDomain === undefined)
    errors.push(
      requiredField(`${field}.baseDomain`, `required with type ${type} unless controlPlaneEndpoint.host is set`),
    );
  if (type === 'KubeVip' && vip === undefined)
    errors.push(requiredField(`${field}.vip`, 'required with type KubeVip unless controlPlaneEndpoint.host is set'));
  return errors;
}

function optionalAddress(path: string, address: string | undefined): FieldError[] {
  return address === undefined ? [] : addressProblems(path, [address]);
}

/**
 * Rejects changes of the endpoint, the backend and the network once they are set: certificates and kubeconfigs contain the
 * endpoint, and existing machines have addresses in the network.
 */
export function validateClusterChange(path: string, spec: Spec | undefined, old: Spec | undefined): FieldError[] {
  const fixed = (each: Spec | undefined): Record<string, string | number | undefined> => ({
    'controlPlaneEndpoint.host': each?.controlPlaneEndpoint?.host,
    'controlPlaneEndpoint.port': each?.controlPlaneEndpoint?.port,
    backend: each?.backend,
    'network.mode': each?.network?.mode,
    'network.cidr': each?.network?.cidr,
  });
  const is = fixed(spec);
  return Object.entries(fixed(old))
    .filter(([field, was]) => was !== undefined && is[field] !== was)
    .map(([field, was]) => forbiddenField(`${path}.${field}`, `is ${was ?? ''} and cannot be changed once set`));
}
