import {
  defineAdmission,
  type KindAdmission,
  validateTemplateMetadata,
  validateTemplateUnchanged,
} from '@slipway/cluster-api';
import { kvmCluster, kvmClusterTemplate, kvmMachine, kvmMachineTemplate } from '../api/index.js';
import { validateClusterChange, validateClusterSpec } from './cluster.js';
import { defaultMachineSpec, renameResources, validateMachineChange, validateMachineSpec } from './machine.js';

/** Defaulting and validation of the kinds of this package. */
export const kvmAdmission: readonly KindAdmission[] = [
  defineAdmission(kvmCluster, {
    validate: (object, old) => [
      ...validateClusterSpec('spec', object.spec),
      ...validateClusterChange('spec', object.spec, old?.spec),
    ],
  }),
  defineAdmission(kvmClusterTemplate, {
    validate: (object, old, context) => [
      ...validateTemplateMetadata('spec.template.metadata', object.spec?.template.metadata),
      ...validateClusterSpec('spec.template.spec', object.spec?.template.spec),
      ...validateTemplateUnchanged(object, old, context),
    ],
  }),
  defineAdmission(kvmMachine, {
    defaults: (object) => {
      object.spec ??= {};
      defaultMachineSpec(object.spec);
    },
    validate: (object, old) => [
      ...validateMachineSpec('spec', object.spec),
      ...(old === undefined ? [] : validateMachineChange('spec', object.spec, old.spec)),
    ],
  }),
  defineAdmission(kvmMachineTemplate, {
    defaults: (object) => {
      const { spec } = object.spec?.template ?? {};
      if (spec !== undefined) renameResources(spec);
    },
    validate: (object, old, context) => [
      ...validateTemplateMetadata('spec.template.metadata', object.spec?.template.metadata),
      ...validateMachineSpec('spec.template.spec', object.spec?.template.spec, { isTemplate: true }),
      ...validateTemplateUnchanged(object, old, context),
    ],
  }),
];
