import { checkDns1123Subdomain, type FieldError, invalidField } from '@slipway/kube';
import { hasRandomPart, type NameValues, renderNameTemplate } from '../naming/index.js';

/** The template must render to a valid object name, and to a different one each time. */
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
