import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '@slipway/kube';
import { jsonFieldsOf } from '../types/index.js';
import { fields, type Fields, has, list, text } from '../shared/fields.js';
import { dnsLabel, optionalOneOf } from '../shared/validation.js';

const sourceMessage = 'k8s.io.api.core.v1.VolumeSource';
const modeText = 'must be a number between 0 and 0777 (octal), both inclusive';

const needed: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  secret: ['secretName'],
  configMap: ['name'],
  persistentVolumeClaim: ['claimName'],
  nfs: ['server', 'path'],
  csi: ['driver'],
  image: ['reference'],
};

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Returns the validation errors of a pod's volumes, and the volume names that containers may mount. */
export function validateVolumes(
  volumes: readonly Fields[],
  path: string,
): { readonly errors: FieldError[]; readonly names: ReadonlySet<string> } {
  const names = new Set<string>();
  const errors = volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const name = text(volume.name);
    const found = validateSource(volume, at);
    if (name === '') found.push(requiredField(`${at}.name`));
    else found.push(...dnsLabel(`${at}.name`, name));
    if (names.has(name)) found.push(duplicateField(`${at}.name`, name));
    if (found.length === 0) names.add(name);
    return found;
  });
  return { errors, names };
}

function validateSource(volume: Fields, path: string): FieldError[] {
  const given = [...jsonFieldsOf(sourceMessage).keys()].filter((key) => has(volume[key]));
  const [first, ...others] = given;
  if (first === undefined) return [requiredField(path, 'must specify a volume type')];
  const errors = others.map((key) => forbiddenField(`${path}.${key}`, 'may not specify more than 1 volume type'));
  const source = fields(volume[first]);
  const at = `${path}.${first}`;
  for (const key of needed[first] ?? []) if (text(source[key]) === '') errors.push(requiredField(`${at}.${key}`));
  if (first === 'hostPath') errors.push(...validateHostPath(source, at));
  const mode = source.defaultMode;
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777))
    errors.push(invalidField(`${at}.defaultMode`, mode, modeText));
  errors.push(...list(source.items).flatMap((item, index) => validateItem(item, first, `${at}.items[${index}]`)));
  return errors;
}

function validateHostPath(source: Fields, path: string): FieldError[] {
  const errors = text(source.path).split('/').includes('..')
    ? [invalidField(`${path}.path`, source.path, "must not contain '..'")]
    : [];
  return [...errors, ...optionalOneOf(`${path}.type`, source.type, hostPathTypes)];
}

function validateItem(item: Fields, source: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (source !== 'downwardAPI' && text(item.key) === '') errors.push(requiredField(`${path}.key`));
  const target = text(item.path);
  if (target === '') errors.push(requiredField(`${path}.path`));
  else if (target.startsWith('/')) errors.push(invalidField(`${path}.path`, target, 'must be a relative path'));
  else if (target.split('/').includes('..')) errors.push(invalidField(`${path}.path`, target, "must not contain '..'"));
  return errors;
}
