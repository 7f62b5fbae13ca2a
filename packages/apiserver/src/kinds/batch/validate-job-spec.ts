import { type FieldError, invalidField, notSupported, requiredField } from '@slipway/kube';
import { validatePodTemplate } from '../pods/index.js';
import { fields, type Fields, number, text } from '../shared/fields.js';
import { nonNegative, optionalOneOf } from '../shared/validation.js';

const indexedParallelismMax = 100_000;

export function validateJobSpec(spec: Fields, path: string): FieldError[] {
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ];
  return [
    ...counts.flatMap((key) => nonNegative(`${path}.${key}`, spec[key])),
    ...validateCompletionMode(spec, path),
    ...validatePodTemplate(fields(spec.template), `${path}.template`),
    ...validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function validateCompletionMode(spec: Fields, path: string): FieldError[] {
  const mode = text(spec.completionMode);
  const errors = optionalOneOf(`${path}.completionMode`, spec.completionMode, ['NonIndexed', 'Indexed']);
  if (mode === 'Indexed') {
    if (spec.completions === undefined)
      errors.push(requiredField(`${path}.completions`, 'when completion mode is Indexed'));
    if (number(spec.parallelism) > indexedParallelismMax) {
      const why = `must be less than or equal to ${indexedParallelismMax} when completion mode is Indexed`;
      errors.push(invalidField(`${path}.parallelism`, spec.parallelism, why));
    }
    return errors;
  }
  for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    if (spec[key] !== undefined)
      errors.push(invalidField(`${path}.${key}`, spec[key], 'requires indexed completion mode'));
  }
  return errors;
}

function validateRestartPolicy(spec: Fields, path: string): FieldError[] {
  const policy = text(fields(fields(spec.template).spec).restartPolicy);
  if (policy === '' || policy === 'Always') return [requiredField(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(path, policy, ['OnFailure', 'Never'])];
  if (spec.podFailurePolicy === undefined || policy === 'Never') return [];
  return [invalidField(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
