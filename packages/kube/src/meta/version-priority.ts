const kubeVersion = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;

interface KubeVersion {
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

/**
 * Compares versions by priority for Array.prototype.sort, the preferred one first: v2, v1, v1beta2, v1beta1, v1alpha1,
 * then anything else in alphabetical order.
 */
export function compareVersionPriority(left: string, right: string): number {
  const leftVersion = parseKubeVersion(left);
  const rightVersion = parseKubeVersion(right);
  if (leftVersion === undefined || rightVersion === undefined) {
    if (leftVersion !== undefined) return -1;
    if (rightVersion !== undefined) return 1;
    return left === right ? 0 : left < right ? -1 : 1;
  }
  return (
    rightVersion.stability - leftVersion.stability ||
    rightVersion.major - leftVersion.major ||
    rightVersion.minor - leftVersion.minor
  );
}

function parseKubeVersion(version: string): KubeVersion | undefined {
  const match = kubeVersion.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  const parsed = { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
  // A version whose numbers exceed upstream's integers is sorted alphabetically.
  return Number.isSafeInteger(parsed.major) && Number.isSafeInteger(parsed.minor) ? parsed : undefined;
}
