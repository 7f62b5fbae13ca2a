import { WorkloadError } from './control-plane-workload.js';

export interface CoreDnsVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Formats of tags: `v1.12.1`, `1.8`, `v1.9.3_build.1`. */
const form = /^v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:[-+_.].*)?$/;

/**
 * The first version whose Corefile every later version accepts. Every supported Kubernetes version shipped this version or a
 * later one.
 */
const oldest: CoreDnsVersion = { major: 1, minor: 8, patch: 0 };

export function parseCoreDnsVersion(tag: string): CoreDnsVersion {
  const [matched, major, minor, patch = '0'] = form.exec(tag) ?? [];
  if (matched === undefined)
    throw new WorkloadError('ImageUnreadable', `error parsing semver from ${JSON.stringify(tag)}`, {
      remedy: 'use a tag of CoreDNS that begins with its version, such as v1.12.1',
    });
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

function compare(left: CoreDnsVersion, right: CoreDnsVersion): number {
  return left.major - right.major || left.minor - right.minor || left.patch - right.patch;
}

/** Throws if CoreDNS cannot be upgraded from one version to the other. */
export function checkCoreDnsUpgrade(fromTag: string, toTag: string): void {
  const [from, to] = [parseCoreDnsVersion(fromTag), parseCoreDnsVersion(toTag)];
  const refuse = (why: string, remedy: string): WorkloadError =>
    new WorkloadError('CoreDnsNotMigratable', `failed to validate CoreDNS: ${why}`, { remedy, retry: 'onChange' });
  if (compare(from, to) > 0)
    throw refuse(
      `toVersion ${JSON.stringify(toTag)} must be greater than or equal to fromVersion ${JSON.stringify(fromTag)}`,
      'set clusterConfiguration.dns.imageTag to a newer version',
    );
  if (compare(from, oldest) < 0)
    throw refuse(
      `fromVersion ${JSON.stringify(fromTag)} is not a compatible coredns version`,
      'update its Corefile manually, or set the annotation controlplane.cluster.x-k8s.io/skip-coredns',
    );
}

/**
 * Returns the Corefile for the newer version. One rule changed between the supported versions: `endpoint` of the plugin
 * `kubernetes` uses only its first address. Everything else is kept, including comments.
 */
export function migrateCorefile(corefile: string, fromTag: string, toTag: string): string {
  if (compare(parseCoreDnsVersion(fromTag), parseCoreDnsVersion(toTag)) === 0) return corefile;
  let depth = 0;
  let plugin = '';
  return corefile
    .split('\n')
    .map((line) => {
      const words = wordsOf(line);
      const [first = ''] = words;
      const isOption = depth === 2 && plugin === 'kubernetes' && first === 'endpoint';
      if (depth === 1 && first !== '' && first !== '}') plugin = first;
      depth += words.filter((word) => word === '{').length - words.filter((word) => word === '}').length;
      return isOption ? line.replace(/^(\s*endpoint\s+\S+)(?:\s+[^#\s]\S*)+/, '$1') : line;
    })
    .join('\n');
}

/** Splits a line into words, without the comment after a `#` at the start of a word. */
function wordsOf(line: string): string[] {
  const words = line.trim().split(/\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  return comment < 0 ? words : words.slice(0, comment);
}
