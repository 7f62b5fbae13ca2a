import {
  defineAdmission,
  type KindAdmission,
  validateTemplateMetadata,
  validateTemplateUnchanged,
} from '@slipway/cluster-api';
import { type FieldError, invalidField } from '@slipway/kube';
import { hostCluster, hostClusterTemplate, hostMachineTemplate, type HostCluster } from '../api/index.js';
import { networkProblem } from '../cluster/network-plan.js';

type ClusterSpec = NonNullable<HostCluster['spec']>;

function validateCluster(path: string, spec: ClusterSpec | undefined, old?: ClusterSpec): FieldError[] {
  const cidr = spec?.network?.cidr;
  const before = old?.network?.cidr;
  const field = `${path}.network.cidr`;
  // The network must not change: machines have addresses in it, and API server certificates contain one of them.
  if (before !== undefined && cidr !== before)
    return [invalidField(field, cidr ?? '', `field is immutable: the network of the cluster is ${before}`)];
  if (cidr === undefined) return [];
  const problem = networkProblem(cidr);
  return problem === undefined ? [] : [invalidField(field, cidr, problem)];
}

/** Defaulting and validation of this package's kinds. */
export const hostAdmission: readonly KindAdmission[] = [
  defineAdmission(hostCluster, { validate: (object, old) => validateCluster('spec', object.spec, old?.spec) }),
  defineAdmission(hostClusterTemplate, {
    validate: (object, old, context) => [
      ...validateTemplateMetadata('spec.template.metadata', object.spec?.template.metadata),
      ...validateCluster('spec.template.spec', object.spec?.template.spec),
      ...validateTemplateUnchanged(object, old, context),
    ],
  }),
  defineAdmission(hostMachineTemplate, {
    validate: (object, old, context) => [
      ...validateTemplateMetadata('spec.template.metadata', object.spec?.template.metadata),
      ...validateTemplateUnchanged(object, old, context),
    ],
  }),
];
