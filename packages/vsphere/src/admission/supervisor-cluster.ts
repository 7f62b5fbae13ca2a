import { type AdmissionContext, topologyAnnotations, validateSelector } from '@slipway/cluster-api';
import { type FieldError, forbiddenField, requiredField } from '@slipway/kube';
import type { SupervisorCluster } from '../api/index.js';
import { vsphereFeaturesOf } from '../feature-gates.js';
import { canonicalNetworkProvider } from '../supervisor/network-provider-name.js';

type ClusterSpec = NonNullable<SupervisorCluster['spec']>;

export interface ClusterRules {
  readonly context: AdmissionContext;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /**
   * The network provider of clusters without spec.network.provider. If undefined, admission does not know it, and the controller
   * validates it later.
   */
  readonly networkProvider: string | undefined;
}

export function validateClusterSpec(path: string, spec: ClusterSpec | undefined, rules: ClusterRules): FieldError[] {
  return [...validateNetwork(path, spec?.network, rules), ...validateZones(path, spec, rules)];
}

function validateNetwork(path: string, network: ClusterSpec['network'], rules: ClusterRules): FieldError[] {
  const features = vsphereFeaturesOf(rules.context);
  const errors: FieldError[] = [];
  const field = `${path}.network.provider`;
  if (features.ClusterNetworkProvider) {
    // Dry runs of the topology controller are allowed without the provider: the patches of a ClusterClass set the field only
    // later.
    const isTopologyDryRun = rules.context.dryRun && Object.hasOwn(rules.annotations ?? {}, topologyAnnotations.dryRun);
    if (network?.provider === undefined && !isTopologyDryRun) errors.push(requiredField(field, 'must be set'));
  } else if (network?.provider !== undefined) {
    errors.push(forbiddenField(field, 'can only be set if the feature gate ClusterNetworkProvider is enabled'));
  }
  if (network?.nsxVPC === undefined) return errors;
  if (!features.MultiNetworks)
    errors.push(
      forbiddenField(`${path}.network.nsxVPC`, 'can only be set if the feature gate MultiNetworks is enabled'),
    );
  else if (!isVpc(network.provider, rules.networkProvider))
    errors.push(forbiddenField(`${path}.network.nsxVPC`, 'can only be set if the network provider is VPC'));
  return errors;
}

function isVpc(named: string | undefined, ofProcess: string | undefined): boolean {
  if (named !== undefined) return named === 'VPC';
  return ofProcess === undefined || canonicalNetworkProvider(ofProcess) === 'VPC';
}

function validateZones(path: string, spec: ClusterSpec | undefined, { context }: ClusterRules): FieldError[] {
  const selector = spec?.failureDomains?.controlPlane?.selector;
  if (selector === undefined) return [];
  const field = `${path}.failureDomains.controlPlane.selector`;
  if (!vsphereFeaturesOf(context).NamespaceScopedZones)
    return [forbiddenField(field, 'can only be set if the feature gate NamespaceScopedZones is enabled')];
  return validateSelector(field, selector);
}
