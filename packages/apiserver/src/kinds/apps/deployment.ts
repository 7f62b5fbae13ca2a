import { type FieldError, forbiddenField, invalidField } from '@slipway/kube';
import { defaultPodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, number, put } from '../shared/fields.js';
import { ageColumn, column, containersColumns, formatSelector, nameColumn, printer, wide } from '../shared/table.js';
import { duplicateConditions, nonNegative, oneOf } from '../shared/validation.js';
import {
  amountOf,
  immutableSelector,
  intOrPercent,
  notOver100Percent,
  scalePaths,
  validateSelectorAndTemplate,
} from './replicas.js';

export const deployments = defineBuiltin({
  group: 'apps',
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  status: true,
  scale: scalePaths,
  generation: ['spec'],
  generationMeta: 'annotations',
  table: printer([
    nameColumn,
    column(
      'Ready',
      (object) => `${number(fields(object.status).readyReplicas)}/${number(fields(object.spec).replicas)}`,
    ),
    column('Up-to-date', (object) => number(fields(object.status).updatedReplicas)),
    column('Available', (object) => number(fields(object.status).availableReplicas)),
    ageColumn,
    ...containersColumns,
    wide('Selector', (object) => formatSelector(fields(object.spec).selector)),
  ]),
  strategy: {
    defaults,
    // Labels of a deployment cannot be changed through status.
    prepareStatus: (object, old) => put(child(object, 'metadata'), 'labels', fields(old.metadata).labels),
    validate: (object, old) => [
      ...validateSpec(fields(object.spec)),
      ...(old === undefined ? [] : immutableSelector(object, old)),
    ],
    validateStatus: (object) => [...validateCounts(fields(object.status)), ...duplicateConditions(object)],
  },
});

function defaults(object: Fields): void {
  const spec = child(object, 'spec');
  defaultPodTemplate(child(spec, 'template'));
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = child(spec, 'strategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate')
    fill(child(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
}

function validateSpec(spec: Fields): FieldError[] {
  const errors = [
    ...nonNegative('spec.replicas', spec.replicas),
    ...validateSelectorAndTemplate(spec, { selector: 'deployment', template: 'ReplicaSet' }),
    ...validateStrategy(fields(spec.strategy)),
    ...['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'].flatMap((key) =>
      nonNegative(`spec.${key}`, spec[key]),
    ),
  ];
  if (
    spec.progressDeadlineSeconds !== undefined &&
    number(spec.progressDeadlineSeconds) <= number(spec.minReadySeconds)
  ) {
    errors.push(
      invalidField(
        'spec.progressDeadlineSeconds',
        spec.progressDeadlineSeconds,
        'must be greater than minReadySeconds',
      ),
    );
  }
  return errors;
}

function validateStrategy(strategy: Fields): FieldError[] {
  const path = 'spec.strategy';
  const errors = oneOf(`${path}.type`, strategy.type, ['Recreate', 'RollingUpdate']);
  if (strategy.type === 'Recreate' && strategy.rollingUpdate !== undefined) {
    return [
      ...errors,
      forbiddenField(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"),
    ];
  }
  if (strategy.type !== 'RollingUpdate') return errors;
  const { maxUnavailable, maxSurge } = fields(strategy.rollingUpdate);
  const at = `${path}.rollingUpdate`;
  errors.push(...intOrPercent(`${at}.maxUnavailable`, maxUnavailable), ...intOrPercent(`${at}.maxSurge`, maxSurge));
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.push(invalidField(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...errors, ...notOver100Percent(`${at}.maxUnavailable`, maxUnavailable)];
}

function validateCounts(status: Fields): FieldError[] {
  const counts = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'];
  const errors = counts.flatMap((key) => nonNegative(`status.${key}`, status[key]));
  for (const key of ['updatedReplicas', 'readyReplicas', 'availableReplicas']) {
    if (number(status[key]) > number(status.replicas)) {
      errors.push(invalidField(`status.${key}`, status[key], 'cannot be greater than status.replicas'));
    }
  }
  return errors;
}
