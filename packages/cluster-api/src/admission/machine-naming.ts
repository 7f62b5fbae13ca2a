import { checkDns1123Subdomain, type FieldError, invalidField } from '@slipway/kube';
import { hasRandomPart, type NameValues, renderNameTemplate } from '../naming/index.js';

/** Requires that the template renders to valid object names that differ on every rendering. */
export function validateNameTemplate(
  path: string,
  template: string | undefined,
  values: NameValues,
  options: { readonly random: boolean },
): FieldError[] {
  if (template === undefined) return [];
  try {
    const name = renderNameTemplate(template, { random: 'abcde', ...values });
    if (options.random && !hasRandomPart(template)) {
      return [invalidField(path, template, 'invalid template, {{ .random }} is missing')];
    }
    return checkDns1123Subdomain(name).map((problem) =>
      invalidField(path, template, `invalid template, generated name is not valid: ${problem}`),
    );
  } catch (error) {
    return [
      invalidField(path, template, `invalid template: ${error instanceof Error ? error.message : String(error)}`),
    ];
  }
}
