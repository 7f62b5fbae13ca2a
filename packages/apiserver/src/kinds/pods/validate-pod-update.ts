import { cloneJson, deepEqual, type FieldError, forbiddenField, invalidField } from '@slipway/kube';
import { fields, type Fields, list, number, text } from '../shared/fields.js';

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Validates an update of a pod, whose spec is immutable except for a few fields. */
export function validatePodUpdate(pod: Fields, old: Fields): FieldError[] {
  const [spec, before] = [fields(pod.spec), fields(old.spec)];
  if (deepEqual(spec, before)) return [];
  for (const key of ['containers', 'initContainers']) {
    if (list(spec[key]).length !== list(before[key]).length) {
      return [forbiddenField(`spec.${key}`, 'pod updates may not add or remove containers')];
    }
  }
  const errors = [
    ...validateDeadline(spec, before),
    ...validateTolerationsAdded(spec, before),
    ...validateGates(spec, before),
  ];
  const rest = deepEqual(withoutChangeable(spec, before), withoutChangeable(before, before));
  return rest
    ? errors
    : [...errors, forbiddenField('spec', `pod updates may not change fields other than ${changeable}\n`)];
}

function withoutChangeable(spec: Fields, before: Fields): Fields {
  const copy = cloneJson(spec) as Fields;
  for (const key of ['containers', 'initContainers']) for (const container of list(copy[key])) delete container.image;
  for (const key of ['activeDeadlineSeconds', 'tolerations', 'schedulingGates']) delete copy[key];
  if (number(before.terminationGracePeriodSeconds) < 0) delete copy.terminationGracePeriodSeconds;
  // Ignore nodeSelector and affinity of a pod with scheduling gates, which may still restrict them.
  if (list(before.schedulingGates).length > 0) for (const key of ['nodeSelector', 'affinity']) delete copy[key];
  return copy;
}

function validateDeadline(spec: Fields, before: Fields): FieldError[] {
  const [now, then] = [spec.activeDeadlineSeconds, before.activeDeadlineSeconds];
  const path = 'spec.activeDeadlineSeconds';
  if (then === undefined) return [];
  if (now === undefined) return [invalidField(path, now, 'must not update from a positive integer to nil value')];
  return number(now) > number(then) ? [invalidField(path, now, 'must be less than or equal to previous value')] : [];
}

function validateTolerationsAdded(spec: Fields, before: Fields): FieldError[] {
  const now = list(spec.tolerations);
  const kept = list(before.tolerations).every((old) =>
    now.some((toleration) => deepEqual({ ...toleration, tolerationSeconds: 0 }, { ...old, tolerationSeconds: 0 })),
  );
  return kept
    ? []
    : [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

function validateGates(spec: Fields, before: Fields): FieldError[] {
  const known = new Set(list(before.schedulingGates).map(({ name }) => text(name)));
  return list(spec.schedulingGates).flatMap(({ name }, index) => {
    if (known.has(text(name))) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${text(name)}'`;
    return [forbiddenField(`spec.schedulingGates[${index}].name`, why)];
  });
}
