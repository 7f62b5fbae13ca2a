import { parseYamlValue } from '@slipway/kube';
import { compare, parse } from 'semver';
import { ClusterctlError } from '../clusterctl-error.js';

export interface ReleaseSeries {
  readonly major: number;
  readonly minor: number;
  readonly contract: string;
}

/** The content of `metadata.yaml`: the contract version of each release series. */
export interface ReleaseMetadata {
  readonly releaseSeries: readonly ReleaseSeries[];
}

export const metadataFile = 'metadata.yaml';
const apiVersion = 'clusterctl.cluster.x-k8s.io/v1alpha3';

export function parseMetadata(text: string, label: string): ReleaseMetadata {
  const fail = (problem: string, cause?: unknown): ClusterctlError =>
    new ClusterctlError(`invalid provider metadata: ${problem}`, { cause });
  let value: unknown;
  try {
    value = parseYamlValue(text);
  } catch (error) {
    throw fail(`error decoding "${metadataFile}" for provider "${label}": ${(error as Error).message}`, error);
  }
  const read = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  if (read['apiVersion'] !== apiVersion)
    throw fail(
      `unexpected apiVersion ${JSON.stringify(read['apiVersion'] ?? '')} for provider ${label} (expected "${apiVersion}")`,
    );
  if (read['kind'] !== 'Metadata' && read['kind'] !== undefined)
    throw fail(`unexpected kind ${JSON.stringify(read['kind'])} for provider ${label} (expected "Metadata")`);
  const series = read['releaseSeries'];
  if (!Array.isArray(series) || series.length === 0)
    throw fail(`releaseSeries is empty in metadata.yaml for provider ${label}`);
  return { releaseSeries: series.map((entry: unknown) => readSeries(entry, label)) };
}

function readSeries(entry: unknown, label: string): ReleaseSeries {
  const { major = 0, minor = 0, contract = '' } = (entry ?? {}) as Partial<ReleaseSeries>;
  if (Number.isInteger(major) && Number.isInteger(minor) && typeof contract === 'string')
    return { major, minor, contract };
  throw new ClusterctlError(
    `invalid provider metadata: releaseSeries of provider ${label} requires the numbers major and minor`,
  );
}

/** Returns the series that a version belongs to. */
export function seriesOf(metadata: ReleaseMetadata, version: string): ReleaseSeries | undefined {
  const parsed = parse(version);
  return metadata.releaseSeries.find(({ major, minor }) => parsed?.major === major && parsed.minor === minor);
}

/** Returns the newest series with a contract version. */
export function newestSeriesFor(metadata: ReleaseMetadata, contract: string): ReleaseSeries | undefined {
  return metadata.releaseSeries
    .filter((series) => series.contract === contract)
    .sort((left, right) => compare(`${right.major}.${right.minor}.0`, `${left.major}.${left.minor}.0`))[0];
}
