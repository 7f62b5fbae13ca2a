/** Returns the terms `field=value` of a field selector. Other terms only restrict further. */
export function requiredFields(selector: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const term of selector.split(',')) {
    const [, field = '', value = ''] = /^([^!=]+)==?([^!=]+)$/.exec(term) ?? [];
    if (field !== '') fields[field] = value;
  }
  return fields;
}
