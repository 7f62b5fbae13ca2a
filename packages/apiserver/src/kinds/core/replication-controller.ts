import { type FieldError, invalidField, notSupported, requiredField } from '@slipway/kube';
import { scalePaths } from '../apps/replicas.js';
import { defaultPodTemplate, validatePodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, has, number } from '../shared/fields.js';
import { ageColumn, column, containersColumns, formatLabels, nameColumn, printer, wide } from '../shared/table.js';
import { nonNegative, selectorMatches } from '../shared/validation.js';

export const replicationControllers = defineBuiltin({
  group: '',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  status: true,
  scale: scalePaths,
  generation: ['spec'],
  defaultPropagation: { policy: 'Orphan' },
  table: printer([
    nameColumn,
    column('Desired', (object) => number(fields(object.spec).replicas), 'integer'),
    column('Current', (object) => number(fields(object.status).replicas), 'integer'),
    column('Ready', (object) => number(fields(object.status).readyReplicas), 'integer'),
    ageColumn,
    ...containersColumns,
    wide('Selector', (object) => formatLabels(fields(object.spec).selector)),
  ]),
  selectable: { 'status.replicas': (object) => String(number(fields(object.status).replicas)) },
  strategy: {
    defaults(object) {
      const spec = child(object, 'spec');
      const labels = fields(fields(spec.template).metadata).labels;
      if (has(labels)) {
        fill(spec, { selector: { ...labels } });
        fill(child(object, 'metadata'), { labels: { ...labels } });
      }
      fill(spec, { replicas: 1 });
      if (has(spec.template)) defaultPodTemplate(spec.template);
    },
    prepareCreate(object) {
      object.status = { replicas: 0 };
    },
    validate: (object) => validate(fields(object.spec)),
  },
});

function validate(spec: Fields): FieldError[] {
  const selector = fields(spec.selector);
  const errors = [
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...(Object.keys(selector).length === 0 ? [requiredField('spec.selector')] : []),
    ...nonNegative('spec.replicas', spec.replicas),
  ];
  if (!has(spec.template)) return [...errors, requiredField('spec.template')];
  const labels = fields(spec.template.metadata).labels;
  if (!selectorMatches({ matchLabels: selector }, labels)) {
    errors.push(invalidField('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  }
  errors.push(...validatePodTemplate(spec.template, 'spec.template'));
  const policy = fields(spec.template.spec).restartPolicy;
  if (policy !== 'Always') errors.push(notSupported('spec.template.spec.restartPolicy', policy, ['Always']));
  return errors;
}
