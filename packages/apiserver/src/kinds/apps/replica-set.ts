import { defaultPodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, fill, number } from '../shared/fields.js';
import { ageColumn, column, containersColumns, formatSelector, nameColumn, printer, wide } from '../shared/table.js';
import { duplicateConditions, nonNegative } from '../shared/validation.js';
import { immutableSelector, scalePaths, validateSelectorAndTemplate } from './replicas.js';

export const replicaSets = defineBuiltin({
  group: 'apps',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  status: true,
  scale: scalePaths,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('Desired', (object) => number(fields(object.spec).replicas), 'integer'),
    column('Current', (object) => number(fields(object.status).replicas), 'integer'),
    column('Ready', (object) => number(fields(object.status).readyReplicas), 'integer'),
    ageColumn,
    ...containersColumns,
    wide('Selector', (object) => formatSelector(fields(object.spec).selector)),
  ]),
  selectable: { 'status.replicas': (object) => String(number(fields(object.status).replicas)) },
  strategy: {
    defaults(object) {
      const spec = child(object, 'spec');
      fill(spec, { replicas: 1 });
      defaultPodTemplate(child(spec, 'template'));
    },
    prepareCreate(object) {
      object.status = { replicas: 0 };
    },
    validate(object, old) {
      const spec = fields(object.spec);
      return [
        ...nonNegative('spec.replicas', spec.replicas),
        ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
        ...validateSelectorAndTemplate(spec, { selector: 'deployment', template: 'ReplicaSet' }),
        ...(old === undefined ? [] : immutableSelector(object, old)),
      ];
    },
    validateStatus: (object) => duplicateConditions(object),
  },
});
