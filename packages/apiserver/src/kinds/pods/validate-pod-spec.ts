import { checkLabelValue, type FieldError, invalidField, requiredField, validateLabels } from '@slipway/kube';
import { fields, type Fields, list, number, text } from '../shared/fields.js';
import {
  dnsLabel,
  dnsSubdomain,
  duplicateStruct,
  oneOf,
  optionalOneOf,
  qualifiedName,
  validateSelector,
} from '../shared/validation.js';
import { validateContainers, validateInitContainers } from './validate-containers.js';
import { validateVolumes } from './validate-volumes.js';

const int32Max = 2 ** 31 - 1;

/** Validates a pod spec with the core of upstream's rules, which catch common mistakes in manifests. */
export function validatePodSpec(spec: Fields, path: string): FieldError[] {
  const volumes = validateVolumes(list(spec.volumes), `${path}.volumes`);
  const names = { volumes: volumes.names };
  return [
    ...(spec.terminationGracePeriodSeconds === undefined
      ? [requiredField(`${path}.terminationGracePeriodSeconds`)]
      : []),
    ...volumes.errors,
    ...validateContainers(list(spec.containers), names, `${path}.containers`),
    ...validateInitContainers(list(spec.initContainers), list(spec.containers), names, `${path}.initContainers`),
    ...oneOf(`${path}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${path}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...validateLabels(fields(spec.nodeSelector) as Record<string, string>, `${path}.nodeSelector`),
    ...list(spec.topologySpreadConstraints).flatMap((item, index) =>
      validateSpread(item, `${path}.topologySpreadConstraints[${index}]`),
    ),
    ...['serviceAccountName', 'nodeName'].flatMap((key) => optionalSubdomain(spec, key, path)),
    ...validateDeadline(spec, path),
    ...['hostname', 'subdomain'].flatMap((key) =>
      text(spec[key]) === '' ? [] : dnsLabel(`${path}.${key}`, spec[key]),
    ),
    ...validateTolerations(list(spec.tolerations), `${path}.tolerations`),
    ...['priorityClassName', 'runtimeClassName'].flatMap((key) => optionalSubdomain(spec, key, path)),
    ...optionalOneOf(`${path}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']),
  ];
}

function optionalSubdomain(spec: Fields, key: string, path: string): FieldError[] {
  return text(spec[key]) === '' ? [] : dnsSubdomain(`${path}.${key}`, spec[key]);
}

function validateDeadline(spec: Fields, path: string): FieldError[] {
  const value = spec.activeDeadlineSeconds;
  if (value === undefined || (number(value) >= 1 && number(value) <= int32Max)) return [];
  return [invalidField(`${path}.activeDeadlineSeconds`, value, `must be between 1 and ${int32Max}, inclusive`)];
}

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

function validateTolerations(tolerations: readonly Fields[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, `${path}[${index}]`));
}

function validateToleration(toleration: Fields, path: string): FieldError[] {
  const [key, operator, effect] = [text(toleration.key), text(toleration.operator), text(toleration.effect)];
  const errors = key === '' ? [] : qualifiedName(`${path}.key`, key);
  if (key === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidField(`${path}.operator`, operator, why));
  }
  if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
    errors.push(invalidField(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  errors.push(...validateTolerationValue(operator, text(toleration.value), path));
  if (effect !== '') errors.push(...optionalOneOf(`${path}.effect`, effect, taintEffects));
  return errors;
}

function validateTolerationValue(operator: string, value: string, path: string): FieldError[] {
  if (operator === 'Exists') {
    return value === ''
      ? []
      : [invalidField(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'")];
  }
  if (operator !== '' && operator !== 'Equal') return optionalOneOf(`${path}.operator`, operator, ['Equal', 'Exists']);
  const wrong = checkLabelValue(value);
  return wrong.length === 0 ? [] : [invalidField(`${path}.operator`, value, wrong.join(';'))];
}

/** Validates the taints of a node; upstream reports them below metadata. */
export function validateTaints(taints: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const at = `${path}[${index}]`;
    const errors = qualifiedName(`${at}.key`, text(taint.key));
    const wrong = checkLabelValue(text(taint.value));
    if (wrong.length > 0) errors.push(invalidField(`${at}.value`, taint.value, wrong.join(';')));
    errors.push(...oneOf(`${at}.effect`, taint.effect, taintEffects));
    const identity = `${text(taint.effect)} ${text(taint.key)}`;
    if (seen.has(identity)) {
      const shown = {
        Key: text(taint.key),
        Value: text(taint.value),
        Effect: text(taint.effect),
        TimeAdded: taint.timeAdded ?? null,
      };
      errors.push(duplicateStruct(at, shown, 'taints must be unique by key and effect pair'));
    }
    seen.add(identity);
    return errors;
  });
}

function validateSpread(constraint: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (number(constraint.maxSkew) <= 0)
    errors.push(invalidField(`${path}.maxSkew`, number(constraint.maxSkew), 'must be greater than zero'));
  if (text(constraint.topologyKey) === '') errors.push(requiredField(`${path}.topologyKey`, 'can not be empty'));
  else errors.push(...qualifiedName(`${path}.topologyKey`, constraint.topologyKey));
  errors.push(
    ...optionalOneOf(`${path}.whenUnsatisfiable`, text(constraint.whenUnsatisfiable), [
      'DoNotSchedule',
      'ScheduleAnyway',
    ]),
    ...validateSelector(constraint.labelSelector, `${path}.labelSelector`),
  );
  return errors;
}

/** Validates labels and spec of a pod template. */
export function validatePodTemplate(template: Fields, path: string): FieldError[] {
  const labels = fields(fields(template.metadata).labels) as Record<string, string>;
  return [...validateLabels(labels, `${path}.labels`), ...validatePodSpec(fields(template.spec), `${path}.spec`)];
}
