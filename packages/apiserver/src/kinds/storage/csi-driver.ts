import { type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, text, texts } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { immutable, optionalOneOf } from '../shared/validation.js';

const flag = (key: string) => (object: Fields) => fields(object.spec)[key] === true;

export const csiDrivers = defineBuiltin({
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  namespaced: false,
  unconditionalUpdate: false,
  returnsDeleted: true,
  table: printer([
    nameColumn,
    column('AttachRequired', flag('attachRequired'), 'boolean'),
    column('PodInfoOnMount', flag('podInfoOnMount'), 'boolean'),
    column('StorageCapacity', flag('storageCapacity'), 'boolean'),
    column(
      'TokenRequests',
      (object) =>
        list(fields(object.spec).tokenRequests)
          .map(({ audience }) => text(audience))
          .join(',') || '<unset>',
    ),
    column('RequiresRepublish', flag('requiresRepublish'), 'boolean'),
    column('Modes', (object) => texts(fields(object.spec).volumeLifecycleModes).join(',') || '<none>'),
    ageColumn,
  ]),
  strategy: {
    defaults(object) {
      fill(child(object, 'spec'), {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      });
    },
    validate,
    validateUpdate: (object, old) => {
      const [now, then] = [fields(object.spec).attachRequired, fields(old.spec).attachRequired];
      return immutable('spec.attachedRequired', now === then, now);
    },
  },
});

function validate(object: Fields): FieldError[] {
  const spec = fields(object.spec);
  const errors: FieldError[] = ['attachRequired', 'podInfoOnMount']
    .filter((key) => spec[key] === undefined)
    .map((key) => requiredField(`spec.${key}`));
  return [
    ...errors,
    ...optionalOneOf('spec.fsGroupPolicy', spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType']),
    ...texts(spec.volumeLifecycleModes).flatMap((mode) =>
      optionalOneOf('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']),
    ),
  ];
}
