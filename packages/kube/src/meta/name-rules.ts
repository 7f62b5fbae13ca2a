/**
 * A rule for names. Returns upstream's messages for an invalid name, or an empty list. With `prefix` it validates a
 * generateName, to which a suffix will be added.
 */
export type NameRule = (name: string, prefix?: boolean) => readonly string[];

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const dns1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValueFormat = `(${qualifiedFormat})?`;

const labelPattern = whole(labelFormat);
const subdomainPattern = whole(subdomainFormat);
const dns1035Pattern = whole(dns1035Format);
const qualifiedPattern = whole(qualifiedFormat);
const labelValuePattern = whole(labelValueFormat);

const labelLengthMax = 63;
const subdomainLengthMax = 253;

const endsAlphanumeric = 'and must start and end with an alphanumeric character';
const qualifiedText = `must consist of alphanumeric characters, '-', '_' or '.', ${endsAlphanumeric}`;
const labelText = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${endsAlphanumeric}`;
const subdomainText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${endsAlphanumeric}`;
const dns1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const labelValueText = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${endsAlphanumeric}`;

/** Validates a DNS-1123 label: `my-name`, at most 63 characters. */
export function checkDns1123Label(value: string): string[] {
  const problems = checkLength(value, labelLengthMax, 'characters');
  if (labelPattern.test(value)) return problems;
  const onlyDots = subdomainPattern.test(value);
  problems.push(onlyDots ? 'must not contain dots' : patternText(labelText, labelFormat, ['my-name', '123-abc']));
  return problems;
}

/** Validates a DNS-1123 subdomain: `example.com`, at most 253 characters. */
export function checkDns1123Subdomain(value: string, unit: LengthUnit = 'characters'): string[] {
  const problems = checkLength(value, subdomainLengthMax, unit);
  if (!subdomainPattern.test(value)) problems.push(patternText(subdomainText, subdomainFormat, ['example.com']));
  return problems;
}

export function checkDns1035Label(value: string): string[] {
  const problems = checkLength(value, labelLengthMax, 'characters');
  if (!dns1035Pattern.test(value)) problems.push(patternText(dns1035Text, dns1035Format, ['my-name', 'abc-123']));
  return problems;
}

/** Validates a label key, annotation key or finalizer: a name with an optional DNS prefix. */
export function checkQualifiedName(value: string): string[] {
  const pattern = patternText(qualifiedText, qualifiedFormat, ['MyName', 'my.name', '123-abc']);
  const slash = value.indexOf('/');
  if (slash >= 0 && value.includes('/', slash + 1)) {
    const hint = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a valid label key ${pattern} ${hint}`];
  }
  const problems = slash < 0 ? [] : checkPrefix(value.slice(0, slash));
  const name = value.slice(slash + 1);
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...checkLength(name, labelLengthMax).map((text) => `name part ${text}`));
  if (!qualifiedPattern.test(name)) problems.push(`name part ${pattern}`);
  return problems;
}

function checkPrefix(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return checkDns1123Subdomain(prefix, 'bytes').map((text) => `prefix part ${text}`);
}

export function checkLabelValue(value: string): string[] {
  const problems = checkLength(value, labelLengthMax);
  if (!labelValuePattern.test(value))
    problems.push(patternText(labelValueText, labelValueFormat, ['MyValue', 'my_value', '12345']));
  return problems;
}

/** Validates a name that only has to be a URL path segment: roles and bindings. */
export function checkPathSegment(value: string, prefix = false): string[] {
  if (!prefix && (value === '.' || value === '..')) return [`may not be '${value}'`];
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

export const nameIsDnsSubdomain: NameRule = (name, prefix) =>
  checkDns1123Subdomain(prefix === true ? maskTrailingDash(name) : name);
export const nameIsDnsLabel: NameRule = (name, prefix) =>
  checkDns1123Label(prefix === true ? maskTrailingDash(name) : name);
export const nameIsPathSegment: NameRule = (name, prefix) => checkPathSegment(name, prefix);

/** Removes a trailing dash. Like upstream, also removes the character before it, on which the length checks depend. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

/** Returns upstream's message for a pattern that does not match, including its double spaces. */
function patternText(text: string, format: string, examples: readonly string[]): string {
  const suffix = `regex used for validation is '${format}')`;
  if (examples.length === 0) return `${text} (${suffix}`;
  return `${text} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${suffix}`;
}

/**
 * The unit in length messages. Lengths are always counted in bytes, although the messages of upstream's older rules say
 * characters.
 */
type LengthUnit = 'bytes' | 'characters';

function checkLength(value: string, max: number, unit: LengthUnit = 'bytes'): string[] {
  return Buffer.byteLength(value) > max ? [`must be no more than ${max} ${unit}`] : [];
}

function whole(format: string): RegExp {
  return new RegExp(`^(?:${format})$`);
}
