import { deepEqual, type FieldError, forbiddenField, invalidField, requiredField } from '@slipway/kube';
import { defaultClaimSpec } from '../core/persistent-volume-claim.js';
import { defaultPodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, number, text } from '../shared/fields.js';
import { ageColumn, column, containersColumns, nameColumn, printer } from '../shared/table.js';
import { dnsLabel, duplicateConditions, invalidStruct, nonNegative } from '../shared/validation.js';
import { scalePaths, validateSelectorAndTemplate } from './replicas.js';

export const statefulSets = defineBuiltin({
  group: 'apps',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  status: true,
  scale: scalePaths,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column(
      'Ready',
      (object) => `${number(fields(object.status).readyReplicas)}/${number(fields(object.spec).replicas)}`,
    ),
    ageColumn,
    ...containersColumns,
  ]),
  strategy: {
    defaults,
    prepareCreate(object) {
      object.status = { replicas: 0, availableReplicas: 0 };
    },
    validate: (object) => validateSpec(fields(object.spec)),
    validateUpdate,
    validateStatus: (object) => duplicateConditions(object),
  },
});

function defaults(object: Fields): void {
  const spec = child(object, 'spec');
  defaultPodTemplate(child(spec, 'template'));
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10, serviceName: '' });
  const strategy = child(spec, 'updateStrategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate') fill(child(strategy, 'rollingUpdate'), { partition: 0 });
  fill(child(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
  for (const claim of list(spec.volumeClaimTemplates)) {
    fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    defaultClaimSpec(child(claim, 'spec'));
    fill(child(claim, 'status'), { phase: 'Pending' });
  }
}

function validateSpec(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const policy = text(spec.podManagementPolicy);
  if (policy === '') errors.push(requiredField('spec.podManagementPolicy'));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalidField('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  const type = text(fields(spec.updateStrategy).type);
  if (type !== 'RollingUpdate' && type !== 'OnDelete') {
    const shown = { Type: type, RollingUpdate: fields(spec.updateStrategy).rollingUpdate ?? null };
    errors.push(invalidStruct('spec.updateStrategy', shown, "must be 'RollingUpdate' or 'OnDelete'"));
  }
  errors.push(
    ...nonNegative('spec.replicas', spec.replicas),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
  );
  if (text(spec.serviceName) !== '') errors.push(...dnsLabel('spec.serviceName', spec.serviceName));
  return [
    ...errors,
    ...validateSelectorAndTemplate(withClaimVolumes(spec), { selector: 'statefulset', template: 'StatefulSet' }),
  ];
}

/**
 * Returns the spec with the volume claim templates added to the volumes of the pod template, because containers may mount claims
 * by name.
 */
function withClaimVolumes(spec: Fields): Fields {
  const claims = list(spec.volumeClaimTemplates).map((claim) => text(fields(claim.metadata).name));
  if (claims.length === 0) return spec;
  const template = fields(spec.template);
  const pod = fields(template.spec);
  const own = list(pod.volumes).filter(({ name }) => !claims.includes(text(name)));
  const volumes = [...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })), ...own];
  return { ...spec, template: { ...template, spec: { ...pod, volumes } } };
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const frozenText = `updates to statefulset spec for fields other than ${changeable
  .slice(0, -1)
  .map((key) => `'${key}'`)
  .join(', ')} and 'minReadySeconds' are forbidden`;

function validateUpdate(object: Fields, old: Fields): FieldError[] {
  const fixed = (value: unknown): Fields =>
    Object.fromEntries(Object.entries(fields(value)).filter(([key]) => !changeable.includes(key)));
  return deepEqual(fixed(object.spec), fixed(old.spec)) ? [] : [forbiddenField('spec', frozenText)];
}
