import type { KubeObject } from '../meta/index.js';
import { isFields } from '../text/fields.js';
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
  if (!isFields(value)) throw new ManifestShapeError(where, 'it is no object');
  const { apiVersion, kind, metadata, items } = value;
  if (!isText(apiVersion) || !isText(kind)) throw new ManifestShapeError(where, 'apiVersion and kind are missing');
  if (kind.endsWith('List') && Array.isArray(items))
    return items.flatMap((item, index) => objectsIn(item, `${where}, item ${index + 1}`, options));
  if (!isFields(metadata)) throw new ManifestShapeError(where, 'metadata is missing');
  if (options.needsNames === true && !isText(metadata['name']))
    throw new ManifestShapeError(where, 'metadata.name is missing');
  return [value as object as KubeObject];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
