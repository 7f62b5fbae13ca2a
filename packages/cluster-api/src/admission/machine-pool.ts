import { type FieldError, forbiddenField } from '@slipway/kube';
import { type MachinePool, machinePool } from '../api/machine-pool.js';
import { type AdmissionContext, defineAdmission } from './admission.js';
import { setClusterLabel, setLabel, validateClusterName, validateTemplateMetadata } from './common.js';
import { labels } from '../api/names.js';
import { defaultMachineSpec, validateMachineSpec } from './machine-spec.js';
import { defaultReplicas } from './replicas.js';

function defaultMachinePool(object: MachinePool, old: MachinePool | undefined): void {
  const { metadata, spec } = object;
  setClusterLabel(metadata, spec.clusterName);
  spec.replicas = defaultReplicas(object, old);
  spec.template.metadata ??= {};
  setLabel(spec.template.metadata, labels.clusterName, spec.clusterName);
  defaultMachineSpec(spec.template.spec);
}

function validateMachinePool(
  object: MachinePool,
  old: MachinePool | undefined,
  context: AdmissionContext,
): FieldError[] {
  const { spec } = object;
  if (!context.features.MachinePool && old === undefined) {
    return [forbiddenField('spec', 'can be set only if the MachinePool feature flag is enabled')];
  }
  return [
    ...validateTemplateMetadata('spec.template.metadata', spec.template.metadata),
    ...validateMachineSpec('spec.template.spec', spec.template.spec, context, {
      controlPlane: false,
      bootstrapRequired: true,
    }),
    ...validateClusterName(spec, old?.spec),
  ];
}

export const machinePoolAdmission = defineAdmission(machinePool, {
  defaults: defaultMachinePool,
  validate: validateMachinePool,
});
