import { invalidField, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, list, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, orNone, printer } from '../shared/table.js';
import { duplicateConditions } from '../shared/validation.js';

const precedenceMax = 10_000;

export const flowSchemas = defineBuiltin({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  namespaced: false,
  status: true,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('PriorityLevel', (object) => text(fields(fields(object.spec).priorityLevelConfiguration).name)),
    column('MatchingPrecedence', (object) => number(fields(object.spec).matchingPrecedence)),
    column('DistinguisherMethod', (object) => orNone(fields(fields(object.spec).distinguisherMethod).type)),
    ageColumn,
    column('MissingPL', (object) => {
      const dangling = list(fields(object.status).conditions).find(({ type }) => type === 'Dangling');
      return dangling === undefined ? '?' : text(dangling.status);
    }),
  ]),
  strategy: {
    defaults(object) {
      const spec = child(object, 'spec');
      if (number(spec.matchingPrecedence) === 0) spec.matchingPrecedence = 1000;
    },
    validate(object) {
      const spec = fields(object.spec);
      const precedence = number(spec.matchingPrecedence);
      const errors =
        precedence < 1 || precedence > precedenceMax
          ? [
              invalidField(
                'spec.matchingPrecedence',
                precedence,
                precedence < 1 ? 'must be a positive value' : `must not be greater than ${precedenceMax}`,
              ),
            ]
          : [];
      const level = text(fields(spec.priorityLevelConfiguration).name);
      return level === ''
        ? [...errors, requiredField('spec.priorityLevelConfiguration.name', 'must reference a priority level')]
        : errors;
    },
    validateStatus: (object) => duplicateConditions(object),
  },
});
