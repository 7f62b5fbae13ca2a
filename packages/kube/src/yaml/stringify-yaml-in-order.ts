import { stringify } from 'yaml';

/**
 * Formats YAML and keeps the order of keys. Quotes strings for YAML 1.1 parsers such as those of kubectl and cloud-init:
 * to them `on` is a boolean, and a MAC address without letters is a base 60 number.
 */
export function stringifyYamlInOrder(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0 });
}
