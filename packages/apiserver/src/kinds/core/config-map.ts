import { deepEqual, type FieldError, forbiddenField, invalidField, tooLong } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, sortedKeys, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { configKeyProblems, problems } from '../shared/validation.js';

export const dataBytesMax = 1_048_576;
const frozenText = 'field is immutable when `immutable` is set';

export const configMaps = defineBuiltin({
  group: '',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  table: printer([
    nameColumn,
    column('Data', (object) => sortedKeys(object.data).length + sortedKeys(object.binaryData).length),
    ageColumn,
  ]),
  strategy: { validate, validateUpdate },
});

function validate(object: Fields): FieldError[] {
  const [data, binary] = [fields(object.data), fields(object.binaryData)];
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of sortedKeys(data)) {
    errors.push(...problems(`data[${key}]`, key, configKeyProblems(key)));
    if (Object.hasOwn(binary, key))
      errors.push(invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(text(data[key]));
  }
  for (const key of sortedKeys(binary)) {
    errors.push(...problems(`binaryData[${key}]`, key, configKeyProblems(key)));
    size += Buffer.byteLength(text(binary[key]), 'base64');
  }
  if (size > dataBytesMax) errors.push(tooLong('', dataBytesMax));
  return errors;
}

function validateUpdate(object: Fields, old: Fields): FieldError[] {
  return frozenFields(object, old, ['data', 'binaryData']);
}

/** Rejects changes of the given fields, and of `immutable` itself, if the stored object has `immutable: true`. */
export function frozenFields(object: Fields, old: Fields, keys: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const changed = keys.filter((key) => !deepEqual(object[key], old[key]));
  return [...(object.immutable === true ? [] : ['immutable']), ...changed].map((key) =>
    forbiddenField(key, frozenText),
  );
}
