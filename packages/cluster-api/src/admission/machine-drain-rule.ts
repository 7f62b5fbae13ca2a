import { type FieldError, forbiddenField, validateLabelSelector } from '@slipway/kube';
import { type MachineDrainRule, machineDrainRule } from '../api/machine-drain-rule.js';
import { defineAdmission } from './admission.js';

function validateMachineDrainRule(object: MachineDrainRule): FieldError[] {
  const { drain, machines = [], pods = [] } = object.spec;
  const ordered = drain.behavior === 'Skip' && drain.order !== undefined;
  return [
    ...(ordered ? [forbiddenField('spec.drain.order', 'must not be set if drain behavior is "Skip"')] : []),
    ...machines.flatMap((entry, index) => [
      ...validateLabelSelector(entry.selector, `spec.machines[${index}].selector`),
      ...validateLabelSelector(entry.clusterSelector, `spec.machines[${index}].clusterSelector`),
    ]),
    ...pods.flatMap((entry, index) => [
      ...validateLabelSelector(entry.selector, `spec.pods[${index}].selector`),
      ...validateLabelSelector(entry.namespaceSelector, `spec.pods[${index}].namespaceSelector`),
    ]),
  ];
}

export const machineDrainRuleAdmission = defineAdmission(machineDrainRule, { validate: validateMachineDrainRule });
