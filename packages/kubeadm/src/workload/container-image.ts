import { WorkloadError } from './workload-error.js';

export interface ContainerImage {
  /** Registry and path: `registry.k8s.io/coredns`. */
  readonly repository: string;
  readonly name: string;
  /** Empty when there is none. */
  readonly tag: string;
  readonly digest: string;
}

const form = /^(?<repository>[^@\s]+)\/(?<name>[^/:@\s]+)(?::(?<tag>[\w][\w.-]{0,127}))?(?:@(?<digest>\S+))?$/;

export function parseImage(text: string): ContainerImage {
  const { repository, name, tag = '', digest = '' } = form.exec(text)?.groups ?? {};
  if (repository === undefined || name === undefined)
    throw new WorkloadError('ImageUnreadable', `couldn't parse image name ${JSON.stringify(text)}`, {
      remedy: 'give the image as registry/name:tag',
    });
  return { repository, name, tag, digest };
}

export function formatImage({ repository, name, tag, digest }: ContainerImage): string {
  return `${repository}/${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}

/** A version as a tag: what tags may not contain, such as `+`, becomes `_`. */
export function imageTagOf(version: string): string {
  return version.replaceAll(/[^-\w.]/g, '_');
}

/** The image of another version, from another repository when one is given. */
export function withVersion(text: string, version: string, repository: string): string {
  const image = parseImage(text);
  if (image.digest !== '')
    throw new WorkloadError('ImageUnreadable', `image ${text} uses digest as version, cannot update tag`, {
      remedy: 'name the image by a tag, or set the annotation that leaves the add-on alone',
    });
  return formatImage({
    ...image,
    repository: repository === '' ? image.repository : repository.replace(/\/$/, ''),
    tag: imageTagOf(version),
  });
}
