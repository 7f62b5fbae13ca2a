import { invalidField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, has, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { duplicateConditions, oneOf } from '../shared/validation.js';

function queuing(key: string) {
  return (object: Fields): string => {
    const settings = fields(fields(fields(fields(object.spec).limited).limitResponse).queuing);
    return settings[key] === undefined ? '<none>' : String(number(settings[key]));
  };
}

export const priorityLevelConfigurations = defineBuiltin({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  namespaced: false,
  status: true,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('Type', (object) => text(fields(object.spec).type)),
    column('NominalConcurrencyShares', (object) => {
      const shares = fields(fields(object.spec).limited).nominalConcurrencyShares;
      return shares === undefined ? '<none>' : String(number(shares));
    }),
    column('Queues', queuing('queues')),
    column('HandSize', queuing('handSize')),
    column('QueueLengthLimit', queuing('queueLengthLimit')),
    ageColumn,
  ]),
  strategy: {
    defaults(object) {
      const spec = child(object, 'spec');
      if (has(spec.limited)) fill(spec.limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
      if (has(spec.exempt)) fill(spec.exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 });
      const settings = fields(fields(spec.limited).limitResponse).queuing;
      if (has(settings)) fill(settings, { handSize: 8, queues: 64, queueLengthLimit: 50 });
    },
    validate(object) {
      const { type } = fields(object.spec);
      const errors = oneOf('spec.type', type, ['Exempt', 'Limited']);
      if (errors.length > 0 || (type === 'Exempt') === (text(fields(object.metadata).name) === 'exempt')) return errors;
      return [invalidField('spec.type', text(type), "must be 'Exempt' if and only if `name` is 'exempt'")];
    },
    validateStatus: (object) => duplicateConditions(object),
  },
});
