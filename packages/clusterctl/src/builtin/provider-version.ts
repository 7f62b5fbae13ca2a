/** The release of Cluster API whose objects, contracts and behaviour the built-in providers implement. */
export const clusterApiLevel = 'v1.14.2';

/**
 * Returns the version of built-in providers. Build metadata after the plus sign is ignored when versions are compared, so that
 * stock clusterctl treats Slipway's and upstream's providers of the same level as equal, and `move` works in both directions.
 */
export function providerVersion(slipwayVersion: string): string {
  return `${clusterApiLevel}+slipway.${slipwayVersion}`;
}
