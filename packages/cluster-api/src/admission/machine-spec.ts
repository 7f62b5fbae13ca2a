import { type FieldError, forbiddenField, invalidField, requiredField } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import { labels, nodeTaints } from '../api/names.js';
import type { machineTaints } from '../api/shared/machine-taints.js';
import type { machineSpec } from '../api/v1beta2/machine-spec.js';
import type { AdmissionContext } from './admission.js';
import { defaultVersion, validateVersion } from './common.js';

export type MachineSpec = Infer<typeof machineSpec>;
type MachineTaint = Infer<typeof machineTaints>[number];

const nodeDeletionTimeoutSeconds = 10;

export function defaultMachineSpec(spec: MachineSpec): void {
  defaultVersion(spec);
  spec.deletion ??= {};
  spec.deletion.nodeDeletionTimeoutSeconds ??= nodeDeletionTimeoutSeconds;
}

/** Validates the spec of a machine at `path`: `spec`, or `spec.template.spec`. */
export function validateMachineSpec(
  path: string,
  spec: MachineSpec,
  context: AdmissionContext,
  options: { readonly controlPlane: boolean; readonly bootstrapRequired: boolean },
): FieldError[] {
  return [
    ...(options.bootstrapRequired ? validateBootstrap(`${path}.bootstrap`, spec.bootstrap) : []),
    ...validateVersion(`${path}.version`, spec.version),
    ...validateTaints(`${path}.taints`, spec.taints, context, options),
  ];
}

function validateBootstrap(path: string, bootstrap: MachineSpec['bootstrap']): FieldError[] {
  if (bootstrap.configRef !== undefined || bootstrap.dataSecretName !== undefined) return [];
  return [
    requiredField(path, 'expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated'),
  ];
}

/** Rejects taints that the kubelet, cloud providers or Cluster API controllers manage. */
export function validateTaints(
  path: string,
  taints: readonly MachineTaint[] | undefined,
  context: AdmissionContext,
  options: { readonly controlPlane: boolean },
): FieldError[] {
  if (taints === undefined) return [];
  if (!context.features.MachineTaintPropagation) {
    return [forbiddenField(path, 'taints may only be set while the feature gate MachineTaintPropagation is enabled')];
  }
  return taints.flatMap((taint, index) => {
    const problem = taintProblem(taint.key, options.controlPlane);
    return problem === undefined ? [] : [invalidField(`${path}[${index}].key`, taint.key, problem)];
  });
}

const ownedKeys = new Set<string>([nodeTaints.uninitialized.key, nodeTaints.outdatedRevision.key]);
const outOfService = 'node.kubernetes.io/out-of-service';

function taintProblem(key: string, controlPlane: boolean): string | undefined {
  if (ownedKeys.has(key)) return 'taint key is managed by Cluster API';
  if (key.startsWith('node.cloudprovider.kubernetes.io/')) return 'taint key is managed by the cloud provider';
  if (key.startsWith('node.kubernetes.io/') && key !== outOfService) return 'taint key is managed by Kubernetes';
  if (key === labels.nodeRoleControlPlane && !controlPlane) return 'taint key is reserved for control plane machines';
  return undefined;
}
