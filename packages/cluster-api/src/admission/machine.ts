import type { FieldError } from '@slipway/kube';
import { type Machine, machine } from '../api/machine.js';
import { labels } from '../api/names.js';
import { type AdmissionContext, defineAdmission } from './admission.js';
import { setClusterLabel, validateClusterName } from './common.js';
import { defaultMachineSpec, validateMachineSpec } from './machine-spec.js';

function defaultMachine(object: Machine): void {
  setClusterLabel(object.metadata, object.spec.clusterName);
  defaultMachineSpec(object.spec);
}

function validateMachine(object: Machine, old: Machine | undefined, context: AdmissionContext): FieldError[] {
  const known = object.metadata.labels ?? {};
  return [
    ...validateMachineSpec('spec', object.spec, context, {
      controlPlane: Object.hasOwn(known, labels.controlPlane),
      // A MachinePool creates Machines after their infrastructure exists, so these Machines do not require bootstrap data.
      bootstrapRequired: !isPoolMachine(object),
    }),
    ...validateClusterName(object.spec, old?.spec),
  ];
}

function isPoolMachine(object: Machine): boolean {
  return (object.metadata.ownerReferences ?? []).some(({ kind }) => kind === 'MachinePool');
}

export const machineAdmission = defineAdmission(machine, { defaults: defaultMachine, validate: validateMachine });
