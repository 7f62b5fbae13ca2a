import {
  type AdmissionContext,
  defineAdmission,
  type KindAdmission,
  validateTemplateMetadata,
  validateTemplateUnchanged,
} from '@slipway/cluster-api';
import { type FieldError, forbiddenField, invalidField, requiredField, tryParseDuration } from '@slipway/kube';
import { devCluster } from '../api/dev-cluster.js';
import { type DevClusterTemplate, devClusterTemplate } from '../api/dev-cluster-template.js';
import { type DevMachine, devMachine } from '../api/dev-machine.js';
import { type DevMachineTemplate, devMachineTemplate } from '../api/dev-machine-template.js';

interface Backend {
  readonly docker?: unknown;
  readonly inMemory?: unknown;
}

function validateBackend(path: string, backend: Backend | undefined): FieldError[] {
  if (backend?.docker === undefined && backend?.inMemory === undefined) {
    return [requiredField(path, 'one of docker or inMemory must be set')];
  }
  if (backend.docker === undefined || backend.inMemory === undefined) return [];
  return [forbiddenField(path, 'only one of docker or inMemory can be set')];
}

type MachineSpec = NonNullable<DevMachine['spec']>;

function validateMachine(path: string, spec: MachineSpec | undefined): FieldError[] {
  const backend = spec?.backend;
  const timings = (['vm', 'node', 'apiServer', 'etcd'] as const).flatMap((part) => {
    const field = `${path}.backend.inMemory.${part}.provisioning`;
    const provisioning = backend?.inMemory?.[part]?.provisioning;
    return provisioning === undefined ? [] : validateStartup(field, provisioning);
  });
  return [...validateBackend(`${path}.backend`, backend), ...timings];
}

function validateStartup(
  path: string,
  { startupDuration, startupJitter }: { readonly startupDuration: string; readonly startupJitter?: string },
): FieldError[] {
  const errors: FieldError[] = [];
  if ((tryParseDuration(startupDuration) ?? -1n) < 0n) {
    errors.push(
      invalidField(`${path}.startupDuration`, startupDuration, 'must be a non-negative duration such as "10s"'),
    );
  }
  if (startupJitter !== undefined && startupJitter !== '' && !/^[0-9]{1,9}(\.[0-9]{1,9})?$/.test(startupJitter)) {
    errors.push(invalidField(`${path}.startupJitter`, startupJitter, 'must be a non-negative number such as "0.2"'));
  }
  return errors;
}

function validateClusterTemplate(
  object: DevClusterTemplate,
  old: DevClusterTemplate | undefined,
  context: AdmissionContext,
): FieldError[] {
  const template = object.spec?.template;
  return [
    ...validateTemplateMetadata('spec.template.metadata', template?.metadata),
    ...validateBackend('spec.template.spec.backend', template?.spec.backend),
    ...validateTemplateUnchanged(object, old, context),
  ];
}

function validateMachineTemplate(
  object: DevMachineTemplate,
  old: DevMachineTemplate | undefined,
  context: AdmissionContext,
): FieldError[] {
  const template = object.spec?.template;
  return [
    ...validateTemplateMetadata('spec.template.metadata', template?.metadata),
    ...validateMachine('spec.template.spec', template?.spec),
    ...validateTemplateUnchanged(object, old, context),
  ];
}

/** Defaulting and validation of this package's kinds. */
export const devAdmission: readonly KindAdmission[] = [
  defineAdmission(devCluster, { validate: (object) => validateBackend('spec.backend', object.spec?.backend) }),
  defineAdmission(devMachine, { validate: (object) => validateMachine('spec', object.spec) }),
  defineAdmission(devClusterTemplate, { validate: validateClusterTemplate }),
  defineAdmission(devMachineTemplate, { validate: validateMachineTemplate }),
];
