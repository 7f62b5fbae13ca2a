import { stringify } from 'yaml';

/**
 * Writes YAML with keys in the order in which they come, for people, and for programs that read YAML 1.1 as kubectl and
 * cloud-init do: `on` is a boolean to them, and the address of a card without letters a number to the base of sixty.
 */
export function stringifyYamlInOrder(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0 });
}
