import { compareBuild, SemVer } from 'semver';

const lengthMax = 256;
const strict = /^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)([-0-9a-zA-Z_.+]*)?$/;

/** `v1.36.0`, with whatever a distribution appends: `v1.36.0+build.1`. */
export function isKubernetesVersion(text: string): boolean {
  return text.length <= lengthMax && strict.test(text);
}

/** Versions are stored with a leading `v`; people often leave it out. */
export function withVersionPrefix(text: string): string {
  return text === '' || text.startsWith('v') ? text : `v${text}`;
}

/** The parts of a version, or undefined when the text is none. */
export function parseKubernetesVersion(text: string): SemVer | undefined {
  try {
    return new SemVer(text);
  } catch {
    return undefined;
  }
}

/** Negative when left is older. Build metadata counts: distributions use it for releases of their own. */
export function compareKubernetesVersions(left: SemVer, right: SemVer): number {
  return compareBuild(left, right);
}
