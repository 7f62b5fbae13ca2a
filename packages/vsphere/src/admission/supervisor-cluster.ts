import { type AdmissionContext, topologyAnnotations, validateSelector } from '@slipway/cluster-api';
import { type FieldError, forbiddenField, requiredField } from '@slipway/kube';
import type { SupervisorCluster } from '../api/index.js';
import { vsphereFeaturesOf } from '../feature-gates.js';
import { canonicalNetworkProvider } from '../supervisor/network-provider-name.js';

type ClusterSpec = NonNullable<SupervisorCluster['spec']>;

export interface ClusterRules {
  readonly context: AdmissionContext;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** As `--network-provider` has it: that of every cluster which names none. */
  readonly networkProvider: string;
}

export function validateClusterSpec(path: string, spec: ClusterSpec | undefined, rules: ClusterRules): FieldError[] {
  return [...validateNetwork(path, spec?.network, rules), ...validateZones(path, spec, rules)];
}

function validateNetwork(path: string, network: ClusterSpec['network'], rules: ClusterRules): FieldError[] {
  const features = vsphereFeaturesOf(rules.context);
  const errors: FieldError[] = [];
  const field = `${path}.network.provider`;
  if (features.ClusterNetworkProvider) {
    // The topology controller asks before its patches have set it.
    const asking = rules.context.dryRun && Object.hasOwn(rules.annotations ?? {}, topologyAnnotations.dryRun);
    if (network?.provider === undefined && !asking) errors.push(requiredField(field, 'must be set'));
  } else if (network?.provider !== undefined) {
    errors.push(forbiddenField(field, 'can only be set while the feature gate ClusterNetworkProvider is open'));
  }
  if (network?.nsxVPC === undefined) return errors;
  if (!features.MultiNetworks)
    errors.push(
      forbiddenField(`${path}.network.nsxVPC`, 'can only be set while the feature gate MultiNetworks is open'),
    );
  else if ((network.provider ?? canonicalNetworkProvider(rules.networkProvider)) !== 'VPC')
    errors.push(forbiddenField(`${path}.network.nsxVPC`, 'can only be set when the network provider is VPC'));
  return errors;
}

function validateZones(path: string, spec: ClusterSpec | undefined, { context }: ClusterRules): FieldError[] {
  const selector = spec?.failureDomains?.controlPlane?.selector;
  if (selector === undefined) return [];
  const field = `${path}.failureDomains.controlPlane.selector`;
  if (!vsphereFeaturesOf(context).NamespaceScopedZones)
    return [forbiddenField(field, 'can only be set while the feature gate NamespaceScopedZones is open')];
  return validateSelector(field, selector);
}
