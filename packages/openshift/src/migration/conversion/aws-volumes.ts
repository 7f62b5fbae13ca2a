import { forbiddenField, invalidField, type JsonObject, type JsonValue } from '@slipway/kube';
import { compact, isSet, listOf, type Notes, numberOf, recordOf, textOf } from './conversion.js';

const sizeDefault = 120;
const int32Max = 2_147_483_647;

/** Converts volumes. The block device without a name is the root volume. */
export function volumesToCapi(
  devices: readonly JsonObject[],
  path: string,
  notes: Notes,
): Record<string, JsonValue | undefined> {
  let rootVolume: JsonObject | undefined;
  const nonRootVolumes: JsonObject[] = [];
  devices.forEach((device, index) => {
    const at = `${path}[${index}]`;
    for (const field of ['noDevice', 'virtualName'])
      if (isSet(device[field])) notes.refuse(forbiddenField(`${at}.${field}`, 'Cluster API has no such field'));
    if (!isSet(device['ebs'])) {
      notes.warn(`${at}: a block device without ebs is ignored`);
      return;
    }
    const name = textOf(device['deviceName']);
    const ebs = recordOf(device['ebs']);
    const volume = volumeToCapi(ebs);
    const isKept = ebs['deleteOnTermination'] === false;
    if (name === undefined) {
      if (isKept) notes.warn(`${at}.ebs.deleteOnTermination: the root volume is always deleted with its machine`);
      rootVolume = volume;
      return;
    }
    if (isKept)
      notes.refuse(
        invalidField(`${at}.ebs.deleteOnTermination`, false, 'volumes are always deleted with their machine'),
      );
    nonRootVolumes.push({ deviceName: name, ...volume });
  });
  return { rootVolume, nonRootVolumes: nonRootVolumes.length === 0 ? undefined : nonRootVolumes };
}

function volumeToCapi(ebs: JsonObject): JsonObject {
  const key = recordOf(ebs['kmsKey']);
  return compact({
    size: numberOf(ebs['volumeSize']) ?? sizeDefault,
    type: textOf(ebs['volumeType']),
    iops: numberOf(ebs['iops']) || undefined,
    throughput: numberOf(ebs['throughputMib']) || undefined,
    encrypted: typeof ebs['encrypted'] === 'boolean' ? ebs['encrypted'] : undefined,
    encryptionKey: textOf(key['id']) ?? textOf(key['arn']),
  });
}

export function volumesToMapi(spec: JsonObject, notes: Notes): JsonValue | undefined {
  const root = isSet(spec['rootVolume']) ? [device(recordOf(spec['rootVolume']), 'spec.rootVolume', notes)] : [];
  const others = listOf(spec['nonRootVolumes']).map((volume, index) => ({
    deviceName: volume['deviceName'] ?? '',
    ...device(volume, `spec.nonRootVolumes[${index}]`, notes),
  }));
  return root.length + others.length === 0 ? undefined : [...root, ...others];
}

function device(volume: JsonObject, path: string, notes: Notes): JsonObject {
  for (const field of ['size', 'iops', 'throughput']) {
    const value = numberOf(volume[field]) ?? 0;
    if (value > int32Max) notes.refuse(invalidField(`${path}.${field}`, value, 'is too large'));
  }
  const key = textOf(volume['encryptionKey']);
  return {
    ebs: compact({
      volumeSize: numberOf(volume['size']),
      volumeType: textOf(volume['type']),
      iops: numberOf(volume['iops']),
      throughputMib: numberOf(volume['throughput']),
      encrypted: typeof volume['encrypted'] === 'boolean' ? volume['encrypted'] : undefined,
      kmsKey: key === undefined ? undefined : { [key.startsWith('arn:') ? 'arn' : 'id']: key },
    }),
  };
}
