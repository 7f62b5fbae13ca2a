import type { FieldError } from '@slipway/kube';
import { intOrPercent, notOver100Percent } from '../apps/replicas.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, number } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import {
  duplicateConditions,
  invalidStruct,
  nonNegative,
  optionalOneOf,
  validateSelector,
} from '../shared/validation.js';

const notApplicable = 'N/A';

export const podDisruptionBudgets = defineBuiltin({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  status: true,
  generation: ['spec'],
  unconditionalUpdate: false,
  table: printer([
    nameColumn,
    column('Min Available', (budget) => amount(fields(budget.spec).minAvailable)),
    column('Max Unavailable', (budget) => amount(fields(budget.spec).maxUnavailable)),
    column('Allowed Disruptions', (budget) => number(fields(budget.status).disruptionsAllowed), 'integer'),
    ageColumn,
  ]),
  strategy: {
    prepareCreate(budget) {
      budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    },
    validate: (budget) => validateSpec(fields(budget.spec)),
    validateStatus: (budget) => [
      ...['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].flatMap((key) =>
        nonNegative(`status.${key}`, fields(budget.status)[key]),
      ),
      ...duplicateConditions(budget),
    ],
  },
});

function amount(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : notApplicable;
}

function validateSpec(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: spec.minAvailable,
      Selector: spec.selector ?? null,
      MaxUnavailable: spec.maxUnavailable,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(invalidStruct('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const key of ['minAvailable', 'maxUnavailable']) {
    errors.push(...intOrPercent(`spec.${key}`, spec[key]), ...notOver100Percent(`spec.${key}`, spec[key]));
  }
  return [
    ...errors,
    ...validateSelector(spec.selector, 'spec.selector'),
    ...optionalOneOf('spec.unhealthyPodEvictionPolicy', spec.unhealthyPodEvictionPolicy, [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ];
}
