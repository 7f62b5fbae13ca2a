import { stringifyManifest } from '@slipway/clusterctl';
import type { KubeObject } from '@slipway/kube';
import { writeResult } from '../repositories/index.js';
import type { OutputFormat } from '../options/common-options.js';

/** Objects as a manifest, or as one List in JSON: both are for `kubectl apply -f -`. */
export function printObjects(
  objects: readonly KubeObject[],
  format: OutputFormat | undefined,
  file?: string,
): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  const text = format === 'json' ? `${JSON.stringify(list, undefined, 2)}\n` : stringifyManifest(objects);
  return writeResult(text, file);
}
