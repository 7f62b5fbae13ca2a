/** An absolute number, or a percentage of a total such as `25%`. */
export type IntOrString = number | string;

export type Rounding = 'up' | 'down';

/** Returns the absolute number for `total`. Throws on a string that is not a percentage. */
export function scaleIntOrPercent(value: IntOrString, total: number, rounding: Rounding): number {
  if (typeof value === 'number') return value;
  if (!value.endsWith('%')) throw new Error('invalid value for IntOrString: invalid type: string is not a percentage');
  const digits = value.slice(0, -1);
  if (!/^[-+]?[0-9]+$/.test(digits))
    throw new Error(`invalid value for IntOrString: invalid value ${JSON.stringify(value)}: not a number`);
  const share = (Number(digits) * total) / 100;
  return rounding === 'up' ? Math.ceil(share) : Math.floor(share);
}
