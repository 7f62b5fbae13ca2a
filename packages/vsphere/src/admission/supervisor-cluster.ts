import { type AdmissionContext, topologyAnnotations, validateSelector } from '@slipway/cluster-api';
import { type FieldError, forbiddenField, requiredField } from '@slipway/kube';
import type { SupervisorCluster } from '../api/index.js';
import { vsphereFeaturesOf } from '../feature-gates.js';
import { canonicalNetworkProvider } from '../supervisor/network-provider-name.js';

type ClusterSpec = NonNullable<SupervisorCluster['spec']>;

export interface ClusterRules {
  readonly context: AdmissionContext;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** That of every cluster which names none; undefined: nobody knows here, and it comes out when the cluster is made. */
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
  else if (!isVpc(network.provider, rules.networkProvider))
    errors.push(forbiddenField(`${path}.network.nsxVPC`, 'can only be set when the network provider is VPC'));
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
    return [forbiddenField(field, 'can only be set while the feature gate NamespaceScopedZones is open')];
  return validateSelector(field, selector);
}
