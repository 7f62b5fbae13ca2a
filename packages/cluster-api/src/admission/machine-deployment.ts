import { type FieldError, forbiddenField, invalidField, scaleIntOrPercent } from '@slipway/kube';
import { type MachineDeployment, machineDeployment } from '../api/machine-deployment.js';
import { labels } from '../api/names.js';
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

type Strategy = NonNullable<NonNullable<MachineDeployment['spec']['rollout']>['strategy']>;

function defaultMachineDeployment(object: MachineDeployment, old: MachineDeployment | undefined): void {
  const { metadata, spec } = object;
  setClusterLabel(metadata, spec.clusterName);
  spec.replicas = defaultReplicas(object, old);
  defaultTemplateLabels(spec, labels.deploymentName, formatLabelValue(metadata.name ?? ''));
  defaultVersion(spec.template.spec);
  defaultStrategy(spec);
}

function defaultStrategy(spec: MachineDeployment['spec']): void {
  spec.rollout ??= {};
  // The strategy type may be missing here: v1beta1 does not require it, and objects are converted before defaulting.
  const strategy: Partial<Strategy> = spec.rollout.strategy ?? {};
  const type = strategy.type ?? 'RollingUpdate';
  spec.rollout.strategy = { ...strategy, type };
  if (type !== 'RollingUpdate') return;
  const { maxSurge = 1, maxUnavailable = 0 } = strategy.rollingUpdate ?? {};
  spec.rollout.strategy.rollingUpdate = { maxSurge, maxUnavailable };
}

function validateMachineDeployment(
  object: MachineDeployment,
  old: MachineDeployment | undefined,
  context: AdmissionContext,
): FieldError[] {
  const { metadata, spec } = object;
  const templateLabels = spec.template.metadata?.labels ?? {};
  return [
    ...validateSelectorMatches(spec.selector, spec.template),
    ...validateTemplateMetadata('spec.template.metadata', spec.template.metadata),
    ...validateStrategy('spec.rollout.strategy', spec.rollout?.strategy),
    ...validateIntOrPercent('spec.remediation.maxInFlight', spec.remediation?.maxInFlight),
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

/** Validates the rollout strategy of a MachineDeployment, a ClusterClass or a topology. */
export function validateStrategy(path: string, strategy: Strategy | undefined): FieldError[] {
  if (strategy?.rollingUpdate === undefined) return [];
  const field = `${path}.rollingUpdate`;
  if (strategy.type === 'OnDelete') {
    return [forbiddenField(field, 'only allowed if spec.rollout.strategy.type is set to RollingUpdate')];
  }
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  const errors = [
    ...validateIntOrPercent(`${field}.maxSurge`, maxSurge),
    ...validateIntOrPercent(`${field}.maxUnavailable`, maxUnavailable),
  ];
  if (errors.length > 0) return errors;
  // With neither surge nor unavailability no machine could ever be replaced.
  if (isZero(maxSurge ?? 1) && isZero(maxUnavailable ?? 0)) {
    return [invalidField(`${field}.maxUnavailable`, maxUnavailable, 'cannot be 0 when maxSurge is 0')];
  }
  return [];
}

export function validateIntOrPercent(path: string, value: number | string | undefined): FieldError[] {
  if (value === undefined) return [];
  const valid = typeof value === 'number' ? Number.isInteger(value) && value >= 0 : /^[0-9]{1,9}%$/.test(value);
  return valid ? [] : [invalidField(path, value, 'must be either a non-negative int or a percentage')];
}

// 100 replicas: every percentage except 0% then rounds to at least one.
function isZero(value: number | string): boolean {
  return scaleIntOrPercent(value, 100, 'up') === 0;
}

export const machineDeploymentAdmission = defineAdmission(machineDeployment, {
  defaults: defaultMachineDeployment,
  validate: validateMachineDeployment,
});
