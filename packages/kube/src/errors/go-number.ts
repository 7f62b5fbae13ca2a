/**
 * A number as Go's `%v` prints it: integers in full, fractions in the shortest form, with an exponent from 1e+06 up and
 * below 1e-04. Clients compare these texts.
 */
export function formatGoNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value).toString() : formatGoFloat(value);
}

/** The same for a value that is a float64 in Go even when it is whole: 10000000 prints as 1e+07. */
export function formatGoFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // The shortest form keeps plain notation only from 1e-4 to below a million.
  if (exponent >= -4 && exponent < 6) return value.toString();
  const digits = Math.abs(exponent).toString().padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}
