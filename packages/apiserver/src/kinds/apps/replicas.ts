import {
  deepEqual,
  type FieldError,
  forbiddenField,
  invalidField,
  type LabelSelectorObject,
  labelSelectorFromObject,
  notSupported,
  requiredField,
  SelectorError,
} from '@slipway/kube';
import { validatePodTemplate } from '../pods/index.js';
import { fields, type Fields } from '../shared/fields.js';
import {
  immutableText,
  invalidStruct,
  isEmptySelector,
  selectorMatches,
  selectorStruct,
  validateSelector,
} from '../shared/validation.js';

/** Paths of the scale subresource. The selector of a built-in kind is an object, which the registry converts to a string. */
export const scalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
};

/** Validates the fields that all workloads with a selector and a template share. `owner` is upstream's name of the kind. */
export function validateSelectorAndTemplate(
  spec: Fields,
  owner: { readonly selector: string; readonly template: string },
): FieldError[] {
  const errors: FieldError[] = [];
  const { selector } = spec;
  if (selector === undefined) errors.push(requiredField('spec.selector'));
  else {
    errors.push(...validateSelector(selector, 'spec.selector'));
    if (isEmptySelector(selector)) {
      errors.push(invalidField('spec.selector', selector, `empty selector is invalid for ${owner.selector}`));
    }
  }
  const template = fields(spec.template);
  if (selector !== undefined && !isParsable(selector)) {
    return [...errors, invalidStruct('spec.selector', selectorStruct(selector), 'invalid label selector')];
  }
  const labels = fields(template.metadata).labels;
  const matches = selector !== undefined && (isEmptySelector(selector) || selectorMatches(selector, labels));
  if (!matches)
    errors.push(invalidField('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  errors.push(
    ...validatePodTemplate(template, 'spec.template'),
    ...validateLongRunning(fields(template.spec), owner.template),
  );
  return errors;
}

function isParsable(selector: unknown): boolean {
  try {
    labelSelectorFromObject(fields(selector) as LabelSelectorObject);
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Validates that the selector of a workload is unchanged. */
export function immutableSelector(object: Fields, old: Fields): FieldError[] {
  const [now, then] = [fields(object.spec).selector, fields(old.spec).selector];
  return deepEqual(now, then) ? [] : [invalidStruct('spec.selector', selectorStruct(now), immutableText)];
}

function validateLongRunning(spec: Fields, owner: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.restartPolicy !== 'Always')
    errors.push(notSupported('spec.template.spec.restartPolicy', spec.restartPolicy, ['Always']));
  if (spec.activeDeadlineSeconds !== undefined) {
    errors.push(
      forbiddenField('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${owner} is not Supported`),
    );
  }
  return errors;
}

const percentPattern = /^[0-9]+%$/;

/** Validates a number or a percentage such as `25%`. */
export function intOrPercent(path: string, value: unknown): FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'string') {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    return percentPattern.test(value) ? [] : [invalidField(path, value, why)];
  }
  return typeof value === 'number' && value < 0
    ? [invalidField(path, value, 'must be greater than or equal to 0')]
    : [];
}

export function notOver100Percent(path: string, value: unknown): FieldError[] {
  const over = typeof value === 'string' && percentPattern.test(value) && Number(value.slice(0, -1)) > 100;
  return over ? [invalidField(path, value, 'must not be greater than 100%')] : [];
}

export function amountOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && percentPattern.test(value) ? Number(value.slice(0, -1)) : 0;
}
