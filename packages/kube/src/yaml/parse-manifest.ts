import type { KubeObject } from '../meta/index.js';
import { isFields } from '../text/fields.js';
import { parseYamlDocuments } from './parse-yaml.js';

/** A document or item of a manifest that is not a Kubernetes object. The message contains its position. */
export class ManifestShapeError extends Error {
  constructor(where: string, problem: string) {
    super(`${where}: ${problem}`);
    this.name = 'ManifestShapeError';
  }
}

export interface ParseManifestOptions {
  /** Whether to reject objects without metadata.name. */
  readonly needsNames?: boolean;
}

/** Parses the objects of a manifest and expands Lists. Throws YamlError and ManifestShapeError. */
export function parseManifest(text: string, options: ParseManifestOptions = {}): KubeObject[] {
  return parseYamlDocuments(text).flatMap(({ value }, index) => objectsIn(value, `document ${index + 1}`, options));
}

function objectsIn(value: unknown, where: string, options: ParseManifestOptions): KubeObject[] {
  if (!isFields(value)) throw new ManifestShapeError(where, 'not an object');
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
