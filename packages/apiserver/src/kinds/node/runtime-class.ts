import { requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { dnsLabel, immutable } from '../shared/validation.js';

export const runtimeClasses = defineBuiltin({
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  createOnUpdate: true,
  unconditionalUpdate: false,
  table: printer([nameColumn, column('Handler', (object) => text(object.handler)), ageColumn]),
  strategy: {
    validate: (object) =>
      text(object.handler) === '' ? [requiredField('handler')] : dnsLabel('handler', object.handler),
    validateUpdate: (object, old) => immutable('handler', object.handler === old.handler, object.handler),
  },
});
