/** The release of Cluster API whose objects, contracts and behaviour the built-in providers have. */
export const clusterApiLevel = 'v1.14.2';

/**
 * The version of built-in providers. What stands behind the plus sign does not count when versions are compared, so that
 * stock clusterctl takes ours and upstream's of the same level for equal: `move` goes both ways.
 */
export function providerVersion(slipwayVersion: string): string {
  return `${clusterApiLevel}+slipway.${slipwayVersion}`;
}
