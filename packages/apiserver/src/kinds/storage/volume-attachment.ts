import { deepEqual, type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { dnsSubdomain, immutable } from '../shared/validation.js';

export const volumeAttachments = defineBuiltin({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
  status: true,
  unconditionalUpdate: false,
  returnsDeleted: true,
  table: printer([
    nameColumn,
    { ...column('Attacher', (object) => text(fields(object.spec).attacher)), format: 'name' },
    column('PV', (object) => text(fields(fields(object.spec).source).persistentVolumeName)),
    column('Node', (object) => text(fields(object.spec).nodeName)),
    column('Attached', (object) => fields(object.status).attached === true, 'boolean'),
    ageColumn,
  ]),
  strategy: {
    prepareCreate(object) {
      object.status = { attached: false };
    },
    validate,
    validateUpdate: (object, old) => immutable('spec', deepEqual(object.spec, old.spec), object.spec),
  },
});

function validate(object: Fields): FieldError[] {
  const spec = fields(object.spec);
  const errors: FieldError[] = text(spec.attacher) === '' ? [requiredField('spec.attacher')] : [];
  const { persistentVolumeName, inlineVolumeSpec } = fields(spec.source);
  if (persistentVolumeName === undefined && inlineVolumeSpec === undefined) {
    errors.push(requiredField('spec.source', 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  }
  return [...errors, ...dnsSubdomain('spec.nodeName', text(spec.nodeName))];
}
