interface ParsedVersion {
  /** GA above beta above alpha. */
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const versionPattern = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;

function parse(version: string): ParsedVersion | undefined {
  const match = versionPattern.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}

/** Preferred first: GA, beta, alpha, each with higher numbers first; other names last, in alphabetical order. */
export function compareVersions(left: string, right: string): number {
  const parsedLeft = parse(left);
  const parsedRight = parse(right);
  if (parsedLeft === undefined || parsedRight === undefined) {
    if (parsedLeft !== undefined) return -1;
    if (parsedRight !== undefined) return 1;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return (
    parsedRight.stability - parsedLeft.stability ||
    parsedRight.major - parsedLeft.major ||
    parsedRight.minor - parsedLeft.minor
  );
}
