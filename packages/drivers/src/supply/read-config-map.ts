import { gunzipSync } from 'node:zlib';
import { type Reader, configMaps, ifPresent, type ObjectKey } from '@slipway/runtime';
import { DriverError } from '../api/index.js';

/** Reads a file of a ConfigMap, compressed (`<key>.gz` in binaryData) or plain. */
export async function readConfigMapFile(
  read: Reader,
  key: ObjectKey,
  file: string,
  signal: AbortSignal,
): Promise<string> {
  const found = await ifPresent(read.get(configMaps, key, { signal }));
  if (found === undefined)
    throw new DriverError('TemplateUnavailable', `ConfigMap ${key.namespace}/${key.name} not found`);
  const plain = found.data?.[file];
  if (plain !== undefined) return plain;
  const packed = found.binaryData?.[`${file}.gz`];
  if (packed !== undefined) return gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
  throw new DriverError('TemplateUnavailable', `ConfigMap ${key.namespace}/${key.name} has no key ${file}`);
}
