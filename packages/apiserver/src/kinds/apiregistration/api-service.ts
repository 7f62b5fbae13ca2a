import {
  checkDns1035Label,
  type FieldError,
  formatTime,
  invalidField,
  nameIsPathSegment,
  requiredField,
} from '@slipway/kube';
import type { WriteContext } from '../../contract/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, fill, has, list, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { duplicateConditions, problems } from '../shared/validation.js';

const minimumMax = 20_000;
const priorityMax = 1000;

export const apiServices = defineBuiltin({
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  status: true,
  unconditionalUpdate: false,
  table: printer([nameColumn, column('Service', serviceOf), column('Available', availableOf), ageColumn]),
  strategy: {
    // The APIService of the core group is named `v1.`, which is not a DNS name; the name is validated against the spec.
    name: nameIsPathSegment,
    defaults(object) {
      const service = fields(object.spec).service;
      if (has(service)) fill(service, { port: 443 });
    },
    prepareCreate: (object, context) => setAvailable(object, context),
    prepareUpdate(object, old, context) {
      if (has(fields(object.spec).service) !== has(fields(old.spec).service)) setAvailable(object, context);
    },
    validate,
    validateStatus: (object) => duplicateConditions(object),
  },
});

const local = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
const aggregated = {
  status: 'False',
  reason: 'AggregationNotSupported',
  message: 'This server does not forward requests to aggregated API servers',
};

/** Sets the Available condition, which is true only for groups that this server serves itself: those without a service. */
function setAvailable(object: Fields, context: WriteContext): void {
  const isAggregated = has(fields(object.spec).service);
  const condition = isAggregated ? aggregated : local;
  if (isAggregated) context.warn(`${aggregated.message}: requests for the group fail with status 404`);
  object.status = { conditions: [{ type: 'Available', lastTransitionTime: formatTime(context.now), ...condition }] };
}

function serviceOf(object: Fields): string {
  const service = fields(object.spec).service;
  return has(service) ? `${text(service.namespace)}/${text(service.name)}` : 'Local';
}

function availableOf(object: Fields): string {
  const condition = list(fields(object.status).conditions).find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${text(condition.status)} (${text(condition.reason)})`;
}

function validate(object: Fields): FieldError[] {
  const spec = fields(object.spec);
  const [name, expected] = [text(fields(object.metadata).name), `${text(spec.version)}.${text(spec.group)}`];
  const errors: FieldError[] = [];
  if (name !== expected)
    errors.push(
      invalidField('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`),
    );
  if (text(spec.group) === '' && text(spec.version) !== 'v1') {
    errors.push(requiredField('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  errors.push(...problems('spec.version', text(spec.version), checkDns1035Label(text(spec.version))));
  for (const [key, max] of [
    ['groupPriorityMinimum', minimumMax],
    ['versionPriority', priorityMax],
  ] as const) {
    const value = number(spec[key]);
    if (value <= 0 || value > max)
      errors.push(invalidField(`spec.${key}`, value, `must be positive and less than ${max}`));
  }
  return errors;
}
