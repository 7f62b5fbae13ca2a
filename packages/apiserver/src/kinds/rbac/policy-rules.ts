import { type FieldError, invalidField, requiredField } from '@slipway/kube';
import { type Fields, texts } from '../shared/fields.js';

/** Validates the rules of a Role or ClusterRole. */
export function validateRules(rules: readonly Fields[], namespaced: boolean): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, namespaced, `rules[${index}]`));
}

function validateRule(rule: Fields, namespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const urls = texts(rule.nonResourceURLs);
  const [groups, resources, names] = [texts(rule.apiGroups), texts(rule.resources), texts(rule.resourceNames)];
  if (texts(rule.verbs).length === 0)
    errors.push(requiredField(`${path}.verbs`, 'verbs must contain at least one value'));
  if (urls.length > 0) {
    const at = `${path}.nonResourceURLs`;
    if (namespaced) errors.push(invalidField(at, urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (groups.length + resources.length + names.length > 0) {
      errors.push(invalidField(at, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (groups.length === 0)
    errors.push(requiredField(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  if (resources.length === 0)
    errors.push(requiredField(`${path}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}
