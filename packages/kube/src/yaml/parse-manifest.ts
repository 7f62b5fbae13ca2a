import type { KubeObject } from '../meta/index.js';
import { parseYamlDocuments } from './parse-yaml.js';

/** Something in a manifest that is no object of Kubernetes. The message says where. */
export class ManifestShapeError extends Error {
  constructor(where: string, problem: string) {
    super(`${where}: ${problem}`);
    this.name = 'ManifestShapeError';
  }
}

export interface ParseManifestOptions {
  /** Refuses objects whose name the server would make up. */
  readonly needsNames?: boolean;
}

/** The objects of a manifest; Lists are taken apart. Throws YamlError and ManifestShapeError. */
export function parseManifest(text: string, options: ParseManifestOptions = {}): KubeObject[] {
  return parseYamlDocuments(text).flatMap(({ value }, index) => objectsIn(value, `document ${index + 1}`, options));
}

function objectsIn(value: unknown, where: string, options: ParseManifestOptions): KubeObject[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ManifestShapeError(where, 'it is no object');
  const { apiVersion, kind, metadata, items } = value as Record<string, unknown>;
  if (typeof apiVersion !== 'string' || apiVersion === '' || typeof kind !== 'string' || kind === '')
    throw new ManifestShapeError(where, 'apiVersion and kind are missing');
  if (kind.endsWith('List') && Array.isArray(items))
    return items.flatMap((item, index) => objectsIn(item, `${where}, item ${index + 1}`, options));
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new ManifestShapeError(where, 'metadata is missing');
  const { name } = metadata as { readonly name?: unknown };
  if (options.needsNames === true && (typeof name !== 'string' || name === ''))
    throw new ManifestShapeError(where, 'metadata.name is missing');
  return [value as KubeObject];
}
