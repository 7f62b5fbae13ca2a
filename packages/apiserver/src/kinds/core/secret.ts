import { type FieldError, invalidField, requiredField, setKey, tooLong } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, sortedKeys, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { configKeyProblems, immutable, problems } from '../shared/validation.js';
import { dataBytesMax, frozenFields } from './config-map.js';

const accountNameAnnotation = 'kubernetes.io/service-account.name';

export const secrets = defineBuiltin({
  group: '',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  table: printer([
    nameColumn,
    column('Type', (object) => text(object.type)),
    column('Data', (object) => sortedKeys(object.data).length),
    ageColumn,
  ]),
  selectable: { type: (object) => text(object.type) },
  strategy: {
    defaults,
    validate,
    validateUpdate: (object, old) => [
      ...immutable('type', object.type === old.type, object.type),
      ...frozenFields(object, old, ['data']),
    ],
  },
});

/** Merges stringData into data, overriding existing keys. stringData is write-only and never stored. */
function defaults(secret: Fields): void {
  const plain = fields(secret.stringData);
  if (Object.keys(plain).length > 0) {
    const data = child(secret, 'data');
    for (const key of Object.keys(plain)) setKey(data, key, Buffer.from(text(plain[key])).toString('base64'));
  }
  delete secret.stringData;
  fill(secret, { type: 'Opaque' });
}

type TypeRule = (data: Fields, secret: Fields) => FieldError[];

const typeRules: Readonly<Record<string, TypeRule>> = {
  'kubernetes.io/service-account-token': (_data, secret) => {
    const name = fields(fields(secret.metadata).annotations)[accountNameAnnotation];
    return text(name) === '' ? [requiredField(`metadata.annotations[${accountNameAnnotation}]`)] : [];
  },
  'kubernetes.io/dockercfg': (data) => jsonKey(data, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data) => jsonKey(data, '.dockerconfigjson'),
  'kubernetes.io/basic-auth': (data) =>
    data.username === undefined && data.password === undefined ? missing(data, ['username', 'password']) : [],
  'kubernetes.io/ssh-auth': (data) =>
    text(data['ssh-privatekey']) === '' ? [requiredField('data[ssh-privatekey]')] : [],
  'kubernetes.io/tls': (data) => missing(data, ['tls.crt', 'tls.key']),
};

function missing(data: Fields, keys: readonly string[]): FieldError[] {
  return keys.filter((key) => data[key] === undefined).map((key) => requiredField(`data[${key}]`));
}

function jsonKey(data: Fields, key: string): FieldError[] {
  if (data[key] === undefined) return [requiredField(`data[${key}]`)];
  const problem = jsonObjectProblem(Buffer.from(text(data[key]), 'base64').toString());
  return problem === undefined ? [] : [invalidField(`data[${key}]`, '<secret contents redacted>', problem)];
}

/** Returns why the content is not a JSON object, or undefined. The content is not quoted. */
function jsonObjectProblem(content: string): string | undefined {
  if (content === '') return 'unexpected end of JSON input';
  try {
    const value: unknown = JSON.parse(content);
    const isObject = typeof value === 'object' && !Array.isArray(value);
    return isObject ? undefined : 'json: cannot unmarshal into Go value of type map[string]interface {}';
  } catch {
    const first = content.trimStart().slice(0, 1);
    // Go reports the offending character. Report it only if it is the first one, so that nothing else of the content is
    // disclosed.
    return /[[{"\-0-9tfn]/.test(first)
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`;
  }
}

function validate(secret: Fields): FieldError[] {
  const data = fields(secret.data);
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of sortedKeys(data)) {
    errors.push(...problems(`data[${key}]`, key, configKeyProblems(key)));
    size += Buffer.byteLength(text(data[key]), 'base64');
  }
  if (size > dataBytesMax) errors.push(tooLong('data', dataBytesMax));
  const type = text(secret.type);
  const rule = Object.hasOwn(typeRules, type) ? typeRules[type] : undefined;
  return [...errors, ...(rule?.(data, secret) ?? [])];
}
