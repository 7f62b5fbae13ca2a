import type { JsonValue } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';

interface ImageOverride {
  readonly repository?: string;
  readonly name?: string;
  readonly tag?: string;
}

/** Image overrides. Keys are `all`, a component or `component/image`. */
export type ImageOverrides = ReadonlyMap<string, ImageOverride>;

export function readImageOverrides(setting: JsonValue | undefined): ImageOverrides {
  if (setting === undefined || setting === null) return new Map();
  if (typeof setting !== 'object' || Array.isArray(setting))
    throw new ClusterctlError('error in the clusterctl config file: images must be a mapping');
  return new Map(
    Object.entries(setting as Readonly<Record<string, JsonValue>>).map(([name, value]) => [
      name.toLowerCase(),
      (value ?? {}) as ImageOverride,
    ]),
  );
}

/** Overrides an image: applies `all` first, then the component, then the image of the component. */
export function alterImage(overrides: ImageOverrides, component: string, image: string): string {
  const parts = parseImage(image);
  let altered = parts;
  for (const key of ['all', component, `${component}/${parts.name}`]) {
    const { repository, name, tag } = overrides.get(key.toLowerCase()) ?? {};
    altered = {
      ...altered,
      ...(repository !== undefined && repository !== '' && { repository: repository.replace(/\/$/, '') }),
      ...(name !== undefined && name !== '' && { name }),
      ...(tag !== undefined && tag !== '' && { tag, digest: '' }),
    };
  }
  return altered === parts || sameParts(altered, parts) ? image : imageText(altered);
}

interface ImageParts {
  readonly repository: string;
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

function parseImage(image: string): ImageParts {
  const [named = '', digest = ''] = image.split('@');
  const slash = named.lastIndexOf('/');
  const [name = '', tag = ''] = named.slice(slash + 1).split(':');
  if (name === '') throw new ClusterctlError(`invalid image name "${image}"`);
  return { repository: slash < 0 ? '' : named.slice(0, slash), name, tag, digest };
}

function sameParts(left: ImageParts, right: ImageParts): boolean {
  return imageText(left) === imageText(right);
}

function imageText({ repository, name, tag, digest }: ImageParts): string {
  const place = repository === '' ? name : `${repository}/${name}`;
  return `${place}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}
