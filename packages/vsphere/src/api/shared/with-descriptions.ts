import { type Fields, refine } from '@slipway/kube/kit';

/**
 * Adds to each field the description with the same name. Versions that declare the same fields can share one table of
 * descriptions.
 */
export function withDescriptions<const F extends Fields>(
  fields: F,
  descriptions: Readonly<Record<Extract<keyof F, string>, string>>,
): F {
  const texts: Readonly<Record<string, string>> = descriptions;
  const described = Object.entries(fields).map(([name, field]) => [name, refine(field, { description: texts[name] })]);
  return Object.fromEntries(described) as F;
}
