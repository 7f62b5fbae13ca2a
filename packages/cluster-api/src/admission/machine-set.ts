import { type FieldError, invalidField } from '@slipway/kube';
import { type MachineSet, machineSet } from '../api/machine-set.js';
import { annotations, labels } from '../api/names.js';
import { formatLabelValue } from '../naming/index.js';
import { type AdmissionContext, defineAdmission } from './admission.js';
import {
  defaultTemplateLabels,
  defaultVersion,
  setClusterLabel,
  validateClusterName,
  validateSelectorMatches,
  validateTemplateMetadata,
} from './common.js';
import { validateNameTemplate } from './machine-naming.js';
import { validateMachineSpec } from './machine-spec.js';
import { defaultReplicas } from './replicas.js';

function defaultMachineSet(object: MachineSet, old: MachineSet | undefined): void {
  const { metadata, spec } = object;
  setClusterLabel(metadata, spec.clusterName);
  spec.replicas = defaultReplicas(object, old);
  defaultTemplateLabels(spec, labels.setName, formatLabelValue(metadata.name ?? ''));
  defaultVersion(spec.template.spec);
}

function validateMachineSet(object: MachineSet, old: MachineSet | undefined, context: AdmissionContext): FieldError[] {
  const { metadata, spec } = object;
  const templateLabels = spec.template.metadata?.labels ?? {};
  return [
    ...validateSkippedChecks(metadata.annotations?.[annotations.skipPreflightChecks]),
    ...validateSelectorMatches(spec.selector, spec.template),
    ...validateTemplateMetadata('spec.template.metadata', spec.template.metadata),
    ...validateMachineSpec('spec.template.spec', spec.template.spec, context, {
      controlPlane: Object.hasOwn(templateLabels, labels.controlPlane),
      bootstrapRequired: false,
    }),
    ...validateNameTemplate(
      'spec.machineNaming.template',
      spec.machineNaming?.template,
      { cluster: { name: spec.clusterName }, machineSet: { name: metadata.name ?? '' } },
      { random: true },
    ),
    ...validateClusterName(spec, old?.spec),
  ];
}

/** Names of the preflight checks that users can skip. */
export const preflightChecks = [
  'All',
  'ControlPlaneIsStable',
  'KubernetesVersionSkew',
  'KubeadmVersionSkew',
  'ControlPlaneVersionSkew',
] as const;

function validateSkippedChecks(text: string | undefined): FieldError[] {
  if (text === undefined || text === '') return [];
  const known = new Set<string>(preflightChecks);
  const unknown = text.split(',').filter((name) => !known.has(name.trim()));
  if (unknown.length === 0) return [];
  const field = `metadata.annotations[${annotations.skipPreflightChecks}]`;
  return [
    invalidField(field, text, `unknown checks ${unknown.join(', ')}; must be one of ${preflightChecks.join(', ')}`),
  ];
}

export const machineSetAdmission = defineAdmission(machineSet, {
  defaults: defaultMachineSet,
  validate: validateMachineSet,
});
