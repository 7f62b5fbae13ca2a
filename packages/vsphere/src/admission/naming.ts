import { checkDns1123Subdomain, type FieldError, invalidField } from '@slipway/kube';
import { renderVmName } from '../machine/vm-name.js';

/** A template is tried out before any machine is named by it. */
export function validateNaming(path: string, naming: { readonly template?: string } | undefined): FieldError[] {
  const template = naming?.template;
  if (template === undefined) return [];
  try {
    const name = renderVmName(template, 'machine');
    return checkDns1123Subdomain(name).map((problem) =>
      invalidField(`${path}.template`, template, `the name ${JSON.stringify(name)} that it makes is none: ${problem}`),
    );
  } catch (error) {
    return [invalidField(`${path}.template`, template, `cannot be rendered: ${(error as Error).message}`)];
  }
}
