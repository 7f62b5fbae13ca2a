/** Lines of `name   value`, the values in one column. */
export function factsText(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}   ${value}\n`).join('');
}
