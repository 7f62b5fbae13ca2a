import {
  type AdmissionContext,
  defineAdmission,
  type KindAdmission,
  topologyAnnotations,
  validateImmutable,
  validateTemplateMetadata,
  validateTemplateUnchanged,
} from '@slipway/cluster-api';
import type { FieldError } from '@slipway/kube';
import * as api from '../api/index.js';
import { validateNaming } from './naming.js';
import { validateClusterSpec } from './supervisor-cluster.js';
import { type MachineRules, validateMachineSpec } from './supervisor-machine.js';

export interface SupervisorAdmissionOptions {
  /** The value of `--network-provider`, if admission knows it. */
  readonly networkProvider?: string;
}

function validateMachine(
  { spec }: api.SupervisorMachine,
  old: api.SupervisorMachine | undefined,
  rules: MachineRules,
): FieldError[] {
  const errors = validateMachineSpec('spec', spec, rules);
  if (old === undefined) return errors;
  const before = old.spec;
  return [
    ...errors,
    ...validateImmutable('spec.imageName', spec.imageName, before.imageName),
    ...validateImmutable('spec.className', spec.className, before.className),
    ...validateImmutable('spec.storageClass', spec.storageClass, before.storageClass),
    ...validateImmutable('spec.minHardwareVersion', spec.minHardwareVersion, before.minHardwareVersion),
    ...validateImmutable('spec.network.interfaces', spec.network?.interfaces, before.network?.interfaces),
  ];
}

function validateMachineTemplate(
  object: api.SupervisorMachineTemplate,
  old: api.SupervisorMachineTemplate | undefined,
  rules: MachineRules,
): FieldError[] {
  const { metadata, spec } = object.spec?.template ?? {};
  return [
    ...validateTemplateMetadata('spec.template.metadata', metadata),
    ...(spec === undefined ? [] : validateMachineSpec('spec.template.spec', spec, rules)),
    ...(spec === undefined ? [] : validateNaming('spec.template.spec.naming', spec.naming)),
    ...validateTemplateUnchanged(withOldDefault(object), old && withOldDefault(old), rules.context),
  ];
}

/** Adds the former default of powerOffMode to a template without one, so that it equals templates that were stored with it. */
function withOldDefault(object: api.SupervisorMachineTemplate): api.SupervisorMachineTemplate {
  const { spec } = object;
  const machine = spec?.template.spec;
  if (spec === undefined || machine === undefined || machine.powerOffMode !== undefined) return object;
  const template = { ...spec.template, spec: { ...machine, powerOffMode: 'hard' as const } };
  return { ...object, spec: { ...spec, template } };
}

function defaultMachineTemplate(
  { metadata, spec }: api.SupervisorMachineTemplate,
  _old: unknown,
  { dryRun }: AdmissionContext,
): void {
  const machine = spec?.template.spec;
  if (!dryRun || !Object.hasOwn(metadata.annotations ?? {}, topologyAnnotations.dryRun)) return;
  if (machine !== undefined) machine.powerOffMode ??= 'hard';
}

/** Admission of the kinds of Supervisor mode. */
export function createSupervisorAdmission(options: SupervisorAdmissionOptions = {}): readonly KindAdmission[] {
  const { networkProvider } = options;
  const rulesOf = (context: AdmissionContext): MachineRules => ({ context, networkProvider: networkProvider ?? '' });
  return [
    defineAdmission(api.supervisorCluster, {
      validate: ({ metadata: { annotations }, spec }, _old, context) =>
        validateClusterSpec('spec', spec, { context, annotations, networkProvider }),
    }),
    defineAdmission(api.supervisorClusterTemplate, {
      validate: ({ metadata: { annotations }, spec }, _old, context) => [
        ...validateTemplateMetadata('spec.template.metadata', spec?.template.metadata),
        ...validateClusterSpec('spec.template.spec', spec?.template.spec, { context, annotations, networkProvider }),
      ],
    }),
    defineAdmission(api.supervisorMachine, {
      validate: (object, old, context) => validateMachine(object, old, rulesOf(context)),
    }),
    defineAdmission(api.supervisorMachineTemplate, {
      defaults: defaultMachineTemplate,
      validate: (object, old, context) => validateMachineTemplate(object, old, rulesOf(context)),
    }),
  ];
}
