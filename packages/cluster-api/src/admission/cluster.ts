import { checkLabelValue, type FieldError, forbiddenField, invalidField, isCidr, requiredField } from '@slipway/kube';
import { type Cluster, cluster } from '../api/cluster.js';
import { type AdmissionContext, defineAdmission } from './admission.js';
import { validateClusterLive } from './validate-cluster-live.js';
import { defaultTopology, validateTopology } from './topology.js';

function defaultCluster(object: Cluster): void {
  if (object.spec.topology !== undefined) defaultTopology(object.spec.topology);
}

function validateCluster(object: Cluster, old: Cluster | undefined, context: AdmissionContext): FieldError[] {
  return [
    ...checkLabelValue(object.metadata.name ?? '').map((problem) =>
      invalidField('metadata.name', object.metadata.name, problem),
    ),
    ...validateParts(object.spec),
    ...validateReferencesKept(object.spec, old?.spec),
    ...validateNetwork(object.spec.clusterNetwork),
    ...validateTopology(object, old, context),
  ];
}

function validateParts(spec: Cluster['spec']): FieldError[] {
  const given = spec.controlPlaneRef ?? spec.infrastructureRef ?? spec.topology;
  if (given !== undefined) return [];
  return [requiredField('spec', 'at least one of controlPlaneRef, infrastructureRef or topology must be set')];
}

// Rejects the removal of an object reference: the referenced object would never be deleted.
function validateReferencesKept(spec: Cluster['spec'], old: Cluster['spec'] | undefined): FieldError[] {
  return (['controlPlaneRef', 'infrastructureRef'] as const)
    .filter((name) => old?.[name] !== undefined && spec[name] === undefined)
    .map((name) => forbiddenField(`spec.${name}`, 'cannot be removed'));
}

function validateNetwork(network: Cluster['spec']['clusterNetwork']): FieldError[] {
  return (['services', 'pods'] as const).flatMap((part) =>
    (network?.[part]?.cidrBlocks ?? []).flatMap((block, index) =>
      isCidr(block)
        ? []
        : [invalidField(`spec.clusterNetwork.${part}.cidrBlocks[${index}]`, block, `invalid CIDR address: ${block}`)],
    ),
  );
}

export const clusterAdmission = defineAdmission(cluster, {
  defaults: defaultCluster,
  validate: validateCluster,
  validateLive: validateClusterLive,
});
