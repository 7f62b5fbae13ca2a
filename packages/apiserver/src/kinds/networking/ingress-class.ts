import { type FieldError, invalidField, requiredField, tooLong } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, has, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, orNone, printer } from '../shared/table.js';
import { immutable } from '../shared/validation.js';

const controllerLengthMax = 250;

export const ingressClasses = defineBuiltin({
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('Controller', (object) => text(fields(object.spec).controller)),
    column('Parameters', parametersOf),
    ageColumn,
  ]),
  strategy: {
    defaults(object) {
      const parameters = child(object, 'spec').parameters;
      if (has(parameters)) fill(parameters, { scope: 'Cluster' });
    },
    validate: (object) => [
      ...validateController(text(fields(object.spec).controller)),
      ...validateParameters(fields(object.spec).parameters),
    ],
    validateUpdate: (object, old) => {
      const [now, then] = [fields(object.spec).controller, fields(old.spec).controller];
      return immutable('spec.controller', now === then, now);
    },
  },
});

function parametersOf(object: Fields): string {
  const parameters = fields(object.spec).parameters;
  if (!has(parameters)) return orNone('');
  const group = text(parameters.apiGroup);
  const kind = text(parameters.kind);
  return `${group === '' ? kind : `${kind}.${group}`}/${text(parameters.name)}`;
}

function validateParameters(parameters: unknown): FieldError[] {
  if (!has(parameters)) return [];
  return ['kind', 'name']
    .filter((key) => text(parameters[key]) === '')
    .map((key) => requiredField(`spec.parameters.${key}`));
}

function validateController(controller: string): FieldError[] {
  if (controller === '') return [requiredField('spec.controller')];
  if (controller.length > controllerLengthMax) {
    return [tooLong('spec.controller', controllerLengthMax)];
  }
  const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
  return /^[a-z0-9.-]+\/\S+$/.test(controller) ? [] : [invalidField('spec.controller', controller, why)];
}
