import { type FieldError, invalidField } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import { type MachineHealthCheck, machineHealthCheck } from '../api/machine-health-check.js';
import { labels } from '../api/names.js';
import type { healthChecks, remediation } from '../api/shared/health-check.js';
import { defineAdmission } from './admission.js';
import { setClusterLabel, validateClusterName, validateSelector } from './common.js';
import { validateIntOrPercent } from './machine-deployment.js';

const nodeStartupTimeoutSecondsDefault = 600;
const nodeStartupTimeoutSecondsMin = 30;

export function defaultMachineHealthCheck(object: MachineHealthCheck): void {
  setClusterLabel(object.metadata, object.spec.clusterName);
  object.spec.checks ??= {};
  object.spec.checks.nodeStartupTimeoutSeconds ??= nodeStartupTimeoutSecondsDefault;
}

function validateMachineHealthCheck(object: MachineHealthCheck, old: MachineHealthCheck | undefined): FieldError[] {
  const { spec } = object;
  return [
    ...validateSelector('spec.selector', spec.selector),
    ...validateSelectedCluster(spec),
    ...validateHealthChecks('spec', spec),
    ...validateClusterName(spec, old?.spec),
  ];
}

function validateSelectedCluster({ selector, clusterName }: MachineHealthCheck['spec']): FieldError[] {
  const selected = selector.matchLabels?.[labels.clusterName];
  if (selected === undefined || selected === clusterName) return [];
  return [
    invalidField(
      'spec.selector',
      selector,
      'cannot specify a cluster selector other than the one specified by ClusterName',
    ),
  ];
}

/**
 * Validates the fields of a health check other than its targets. ClusterClasses and topologies have the same fields at `path`.
 */
export function validateHealthChecks(
  path: string,
  check: {
    readonly checks?: Infer<typeof healthChecks>;
    readonly remediation?: Pick<Infer<typeof remediation>, 'triggerIf'>;
  },
): FieldError[] {
  const timeout = check.checks?.nodeStartupTimeoutSeconds;
  const tooShort = timeout !== undefined && timeout !== 0 && timeout < nodeStartupTimeoutSecondsMin;
  const field = `${path}.checks.nodeStartupTimeoutSeconds`;
  return [
    ...(tooShort
      ? [invalidField(field, timeout, `must be at least ${nodeStartupTimeoutSecondsMin}s, or 0 to disable the check`)]
      : []),
    ...validateIntOrPercent(
      `${path}.remediation.triggerIf.unhealthyLessThanOrEqualTo`,
      check.remediation?.triggerIf?.unhealthyLessThanOrEqualTo,
    ),
    ...validateRange(`${path}.remediation.triggerIf.unhealthyInRange`, check.remediation?.triggerIf?.unhealthyInRange),
  ];
}

function validateRange(path: string, range: string | undefined): FieldError[] {
  const bounds = /^\[([0-9]+)-([0-9]+)\]$/.exec(range ?? '');
  if (range === undefined || (bounds !== null && Number(bounds[1]) <= Number(bounds[2]))) return [];
  return [invalidField(path, range, 'must have the form [a-b] with a not greater than b')];
}

export const machineHealthCheckAdmission = defineAdmission(machineHealthCheck, {
  defaults: defaultMachineHealthCheck,
  validate: validateMachineHealthCheck,
});
