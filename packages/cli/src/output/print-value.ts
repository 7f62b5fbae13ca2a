/** A value for a program when a format was asked for, else the text for a person. */
export async function printValue(
  value: object,
  format: 'json' | 'yaml' | undefined,
  text: () => string,
): Promise<void> {
  process.stdout.write(await rendered(value, format, text));
}

async function rendered(value: object, format: 'json' | 'yaml' | undefined, text: () => string): Promise<string> {
  if (format === 'json') return `${JSON.stringify(value, undefined, 2)}\n`;
  if (format === undefined) return text();
  const { stringifyYamlInOrder } = await import('@slipway/kube');
  return stringifyYamlInOrder(value);
}
