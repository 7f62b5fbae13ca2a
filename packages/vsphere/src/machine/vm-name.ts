import { renderTextTemplate, sprigFunctions, TemplateError } from '@slipway/cluster-api';

const nameLengthMax = 63;

/** Functions of naming templates, in addition to those of Go templates. */
const functions = new Map([...sprigFunctions].filter(([name]) => name === 'trimSuffix' || name === 'trunc'));

/**
 * Returns the name of a virtual machine: the name of the Machine, or the rendered naming template. Long names are
 * truncated without a hash, as in upstream: users must choose a template that keeps names unique.
 */
export function renderVmName(template: string | undefined, machineName: string): string {
  if (template === undefined || template === '') return machineName;
  const name = renderTextTemplate(template, { machine: { name: machineName } }, functions);
  if (name.includes('<no value>')) throw new TemplateError('only .machine.name is supported');
  return name.slice(0, nameLengthMax);
}
