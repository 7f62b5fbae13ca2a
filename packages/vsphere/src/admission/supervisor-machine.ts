import type { AdmissionContext } from '@slipway/cluster-api';
import { duplicateField, type FieldError, forbiddenField, invalidField, notSupported } from '@slipway/kube';
import { parseApiVersion } from '@slipway/kube';
import type { SupervisorMachine } from '../api/index.js';
import { vsphereFeaturesOf } from '../feature-gates.js';
import { canonicalNetworkProvider, type NetworkProviderName } from '../supervisor/network-provider-name.js';

type MachineSpec = SupervisorMachine['spec'];
type Network = NonNullable<MachineSpec['network']>;
type Secondary = NonNullable<NonNullable<Network['interfaces']>['secondary']>[number];
type NetworkRef = Secondary['networkRef'];

export interface MachineRules {
  readonly context: AdmissionContext;
  readonly networkProvider: string;
}

const hardwareVersion = /^vmx-[1-9][0-9]?$/;

/** Validates the spec of machines and machine templates. */
export function validateMachineSpec(path: string, spec: MachineSpec, rules: MachineRules): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minHardwareVersion !== undefined && !hardwareVersion.test(spec.minHardwareVersion))
    errors.push(
      invalidField(`${path}.minHardwareVersion`, spec.minHardwareVersion, 'must be a hardware version such as vmx-19'),
    );
  if (spec.policies !== undefined && !vsphereFeaturesOf(rules.context).InfrastructurePolicies)
    errors.push(gated(`${path}.policies`, 'InfrastructurePolicies'));
  return [...errors, ...validateNetwork(`${path}.network`, spec.network, rules)];
}

function gated(path: string, gate: string): FieldError {
  return forbiddenField(path, `can only be set if the feature gate ${gate} is enabled`);
}

function validateNetwork(path: string, network: Network | undefined, rules: MachineRules): FieldError[] {
  if (network === undefined) return [];
  const features = vsphereFeaturesOf(rules.context);
  const provider = canonicalNetworkProvider(rules.networkProvider);
  return [
    ...(network.interfaces === undefined || features.MultiNetworks
      ? validateInterfaces(`${path}.interfaces`, network.interfaces, provider)
      : [gated(`${path}.interfaces`, 'MultiNetworks')]),
    ...(network.vlans === undefined || features.VLANSubinterface
      ? validateVlans(`${path}.vlans`, network, provider)
      : [gated(`${path}.vlans`, 'VLANSubinterface')]),
  ];
}

function validateInterfaces(
  path: string,
  interfaces: Network['interfaces'],
  provider: NetworkProviderName,
): FieldError[] {
  if (interfaces === undefined) return [];
  const { primary, secondary = [] } = interfaces;
  const errors: FieldError[] = [];
  if (primary !== undefined) {
    if (provider !== '' && provider !== 'VPC')
      errors.push(forbiddenField(`${path}.primary`, 'can only be set if the network provider is VPC'));
    else errors.push(...validateKind(`${path}.primary.networkRef`, primary.networkRef, ['SubnetSet'], vpcGroup));
  }
  const names = new Set(['eth0']);
  for (const [index, { name, networkRef }] of secondary.entries()) {
    if (names.has(name)) errors.push(duplicateField(`${path}.secondary[${index}].name`, name));
    names.add(name);
    errors.push(...validateSecondary(`${path}.secondary[${index}].networkRef`, networkRef, provider));
  }
  return errors;
}

const vpcGroup = 'crd.nsx.vmware.com';
const distributedGroup = 'netoperator.vmware.com';

function validateSecondary(path: string, reference: NetworkRef, provider: NetworkProviderName): FieldError[] {
  switch (provider) {
    case 'VPC':
      return validateKind(path, reference, ['SubnetSet', 'Subnet'], vpcGroup);
    case 'VSphereDistributed':
      return validateKind(path, reference, ['Network'], distributedGroup);
    case '':
      // With an unknown network provider the reference is not validated here: the controller validates it later.
      return [];
    default:
      return [forbiddenField(path, `the network provider ${provider} does not support secondary interfaces`)];
  }
}

function validateKind(path: string, reference: NetworkRef, kinds: readonly string[], group: string): FieldError[] {
  if (parseApiVersion(reference.apiVersion).group !== group)
    return [invalidField(`${path}.apiVersion`, reference.apiVersion, `must have the API group ${group}`)];
  return kinds.includes(reference.kind) ? [] : [notSupported(`${path}.kind`, reference.kind, kinds)];
}

function validateVlans(path: string, { vlans = [], interfaces }: Network, provider: NetworkProviderName): FieldError[] {
  const errors: FieldError[] = [];
  if (vlans.length > 0 && provider !== '' && provider !== 'VPC')
    errors.push(forbiddenField(path, 'can only be set if the network provider is VPC'));
  const links = new Set((interfaces?.secondary ?? []).map(({ name }) => name));
  const names = new Set<string>();
  const ids = new Set<string>();
  for (const [index, { id, link, name }] of vlans.entries()) {
    if (!links.has(link))
      errors.push(invalidField(`${path}[${index}].link`, link, 'must be the name of a secondary interface'));
    if (names.has(name)) errors.push(duplicateField(`${path}[${index}].name`, name));
    if (ids.has(`${link}/${id}`)) errors.push(duplicateField(`${path}[${index}].id`, id));
    names.add(name);
    ids.add(`${link}/${id}`);
  }
  return errors;
}
