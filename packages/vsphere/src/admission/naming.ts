import { checkDns1123Subdomain, type FieldError, invalidField } from '@slipway/kube';
import { renderVmName } from '../machine/vm-name.js';

/** Renders the template with an example name to validate it. */
export function validateNaming(path: string, naming: { readonly template?: string } | undefined): FieldError[] {
  const template = naming?.template;
  if (template === undefined) return [];
  try {
    const name = renderVmName(template, 'machine');
    return checkDns1123Subdomain(name).map((problem) =>
      invalidField(`${path}.template`, template, `renders the invalid name ${JSON.stringify(name)}: ${problem}`),
    );
  } catch (error) {
    return [invalidField(`${path}.template`, template, `cannot be rendered: ${(error as Error).message}`)];
  }
}
