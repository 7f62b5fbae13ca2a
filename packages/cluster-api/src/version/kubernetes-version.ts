import { compareBuild, SemVer } from 'semver';

const lengthMax = 256;
const strict = /^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)([-0-9a-zA-Z_.+]*)?$/;

/** Whether the text is a version such as `v1.36.0` or, with a build suffix, `v1.36.0+build.1`. */
export function isKubernetesVersion(text: string): boolean {
  return text.length <= lengthMax && strict.test(text);
}

/** Adds a missing leading `v`: versions are stored with it, but users often omit it. */
export function withVersionPrefix(text: string): string {
  return text === '' || text.startsWith('v') ? text : `v${text}`;
}

/** Parses a version. Undefined if the text is invalid. */
export function parseKubernetesVersion(text: string): SemVer | undefined {
  try {
    return new SemVer(text);
  } catch {
    return undefined;
  }
}

/** Compares versions. Negative if `left` is older. Build metadata is compared too, because distributions use it for releases. */
export function compareKubernetesVersions(left: SemVer, right: SemVer): number {
  return compareBuild(left, right);
}
