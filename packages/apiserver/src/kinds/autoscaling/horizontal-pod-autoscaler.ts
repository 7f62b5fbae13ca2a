import { type FieldError, invalidField, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, has, list, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { duplicateConditions, oneOf } from '../shared/validation.js';

export const horizontalPodAutoscalers = defineBuiltin({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  status: true,
  table: printer([
    nameColumn,
    column('Reference', (object) => {
      const target = fields(fields(object.spec).scaleTargetRef);
      return `${text(target.kind)}/${text(target.name)}`;
    }),
    column('Targets', targetsOf),
    column('MinPods', (object) => {
      const minimum = fields(object.spec).minReplicas;
      return minimum === undefined ? '<unset>' : String(number(minimum));
    }),
    column('MaxPods', (object) => number(fields(object.spec).maxReplicas)),
    column('Replicas', (object) => number(fields(object.status).currentReplicas)),
    ageColumn,
  ]),
  strategy: {
    defaults(object) {
      const spec = child(object, 'spec');
      fill(spec, { minReplicas: 1 });
      if (list(spec.metrics).length === 0) {
        const target = { type: 'Utilization', averageUtilization: 80 };
        spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
      }
      if (has(spec.behavior)) defaultBehavior(spec.behavior);
    },
    prepareCreate(object) {
      object.status = { desiredReplicas: 0, currentMetrics: null };
    },
    validate: (object) => validateSpec(fields(object.spec)),
    validateStatus: (object) => duplicateConditions(object),
  },
});

/** Sets the defaults of missing fields in `behavior`. */
function defaultBehavior(behavior: Fields): void {
  const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
  const up = { selectPolicy: 'Max', stabilizationWindowSeconds: 0 };
  fill(child(behavior, 'scaleUp'), up);
  fill(child(behavior, 'scaleDown'), { selectPolicy: 'Max' });
  fillPolicies(child(behavior, 'scaleUp'), [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent]);
  fillPolicies(child(behavior, 'scaleDown'), [percent]);
}

function fillPolicies(rules: Fields, policies: readonly Fields[]): void {
  if (list(rules.policies).length === 0) rules.policies = [...policies];
}

/** Formats each metric as `cpu: 20%/80%`, with `<unknown>` if there is no current value. */
function targetsOf(object: Fields): string {
  const current = list(fields(object.status).currentMetrics);
  const shown = list(fields(object.spec).metrics).map((metric, index) => {
    if (metric.type !== 'Resource') return `${text(metric.type)}: <unknown>`;
    const { name, target } = fields(metric.resource);
    const targetFields = fields(target);
    const now = fields(fields(fields(current[index]).resource).current);
    const percent = targetFields.averageUtilization !== undefined;
    const desired = percent ? `${number(targetFields.averageUtilization)}%` : text(targetFields.averageValue);
    const seen = percent ? now.averageUtilization : now.averageValue;
    return `${text(name)}: ${seen === undefined ? '<unknown>' : percent ? `${number(seen)}%` : text(seen)}/${desired}`;
  });
  return shown.length === 0 ? '<none>' : shown.join(', ');
}

function validateSpec(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const [low, high] = [number(spec.minReplicas), number(spec.maxReplicas)];
  if (low < 1) errors.push(invalidField('spec.minReplicas', low, 'must be greater than or equal to 1'));
  if (high < 1) errors.push(requiredField('spec.maxReplicas', 'must be set and greater than 0'));
  if (low > high) errors.push(invalidField('spec.maxReplicas', high, 'must be greater than or equal to `minReplicas`'));
  const target = spec.scaleTargetRef;
  for (const key of ['kind', 'name']) {
    if (!has(target) || text(target[key]) === '') errors.push(requiredField(`spec.scaleTargetRef.${key}`));
  }
  const apiVersion = text(fields(target).apiVersion);
  if (!apiVersion.includes('/')) {
    errors.push(invalidField('spec.scaleTargetRef.apiVersion', apiVersion, 'apiVersion must specify API group'));
  }
  const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
  return [
    ...errors,
    ...list(spec.metrics).flatMap(({ type }, index) => oneOf(`spec.metrics[${index}].type`, type, types)),
  ];
}
