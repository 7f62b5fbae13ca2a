import { renderTextTemplate, sprigFunctions, TemplateError } from '@slipway/cluster-api';

const nameLengthMax = 63;

/** What a naming template may call, beside what Go's templates know themselves. */
const functions = new Map([...sprigFunctions].filter(([name]) => name === 'trimSuffix' || name === 'trunc'));

/**
 * The name of a machine's virtual machine: that of the Machine, or what its naming template makes of it. Cut without a
 * hash, as upstream does: a template that keeps the ends of names is the user's business.
 */
export function renderVmName(template: string | undefined, machineName: string): string {
  if (template === undefined || template === '') return machineName;
  const name = renderTextTemplate(template, { machine: { name: machineName } }, functions);
  if (name.includes('<no value>')) throw new TemplateError('only .machine.name is known here');
  return name.slice(0, nameLengthMax);
}
