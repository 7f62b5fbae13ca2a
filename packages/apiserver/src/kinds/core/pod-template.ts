import { defaultPodTemplate, validatePodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, list, text } from '../shared/fields.js';
import { column, formatLabels, nameColumn, printer } from '../shared/table.js';

export const podTemplates = defineBuiltin({
  group: '',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
  returnsDeleted: true,
  generation: ['template'],
  table: printer([
    nameColumn,
    column('Containers', (object) => containersOf(object.template, 'name')),
    column('Images', (object) => containersOf(object.template, 'image')),
    column('Pod Labels', (object) => formatLabels(fields(fields(object.template).metadata).labels)),
  ]),
  strategy: {
    defaults: (object) => defaultPodTemplate(child(object, 'template')),
    validate: (object) => validatePodTemplate(fields(object.template), 'template'),
  },
});

function containersOf(template: unknown, key: string): string {
  return list(fields(fields(template).spec).containers)
    .map((container) => text(container[key]))
    .join(',');
}
