import { writeFile } from 'node:fs/promises';
import { stringifyManifest } from '@slipway/clusterctl';
import type { KubeObject } from '@slipway/kube';
import { onFile } from '../errors/index.js';
import type { OutputFormat } from '../options/common-options.js';

/** Prints a value in the requested format, or else as text. */
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

/** Prints objects as a YAML manifest, or as a JSON List. `kubectl apply -f -` accepts both. */
export function printObjects(
  objects: readonly KubeObject[],
  format: OutputFormat | undefined,
  file?: string,
): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  const text = format === 'json' ? `${JSON.stringify(list, undefined, 2)}\n` : stringifyManifest(objects);
  return writeResult(text, file);
}

/**
 * Prints a result if the file is `-` or not set. Otherwise writes it to the file with mode 0600, because templates can contain
 * secrets.
 */
async function writeResult(text: string, file: string | undefined): Promise<void> {
  const path = (file ?? '').trim();
  if (path === '' || path === '-') process.stdout.write(text);
  else await onFile('write', path, () => writeFile(path, text, { mode: 0o600 }));
}
