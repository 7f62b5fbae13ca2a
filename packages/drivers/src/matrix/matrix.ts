import type { JsonObject, JsonValue } from '@slipway/kube';
import { parseYaml } from '@slipway/kube';
import { type DriverName, DriverError } from '../api/index.js';
import { isDotted, isRange, isWithin, type VersionRange } from './version.js';

interface Withdrawal {
  readonly reason: string;
  readonly since?: string;
  readonly replacement?: string;
}

/** The requirements of a driver version, and the location of its manifests. */
export interface MatrixEntry {
  readonly version: string;
  readonly vSphere: VersionRange;
  readonly kubernetes: VersionRange;
  readonly isCPIRequired: boolean;
  readonly channel: 'latest' | 'lts';
  readonly withdrawn?: Withdrawal;
  readonly upgradeFrom?: string;
  readonly downgradeTo?: string;
  readonly deploymentPath: readonly string[];
  readonly sha256?: readonly string[];
  readonly images?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly configFormat: 'yaml' | 'ini';
}

export interface Matrix {
  readonly revision: string;
  readonly entries: Readonly<Record<DriverName, readonly MatrixEntry[]>>;
}

const versionKey = /^[0-9]+\.[0-9]+\.[0-9]+([-+].*)?$/;
const schemaVersionMax = 2;

/** Parses a matrix in our format or the public one. Reports all problems in one error. */
export function parseMatrix(text: string): Matrix {
  const { matrix, problems } = readMatrix(text);
  if (matrix === undefined || problems.length > 0)
    throw new DriverError('MatrixInvalid', `the compatibility matrix is not valid: ${problems.join('; ')}`);
  return matrix;
}

export function readMatrix(text: string): { readonly matrix?: Matrix; readonly problems: readonly string[] } {
  let root: JsonValue;
  const problems: string[] = [];
  try {
    const { value, duplicateKeys } = parseYaml(text);
    root = value;
    // Duplicate keys are rejected, because parsers differ in which of them they use.
    problems.push(...duplicateKeys.map((key) => `duplicate key ${String(key)}`));
  } catch (error) {
    return { problems: [`it is neither JSON nor YAML: ${firstLine((error as Error).message)}`] };
  }
  // A proxy that requires a login returns an HTML page with status 200.
  if (!isObject(root))
    return { problems: ['it is not an object with the keys CSI and CPI; check whether a proxy returned an HTML page'] };
  const schemaVersion = root['schemaVersion'] ?? 1;
  if (typeof schemaVersion !== 'number' || Math.floor(schemaVersion) > schemaVersionMax || schemaVersion < 1)
    problems.push(
      `unsupported schemaVersion ${JSON.stringify(schemaVersion)}; the latest supported version is ${schemaVersionMax}`,
    );
  if (!isObject(root['CSI']) && !isObject(root['CPI'])) problems.push('it has neither the key CSI nor the key CPI');
  const entries = { csi: readEntries(root['CSI'], 'CSI', problems), cpi: readEntries(root['CPI'], 'CPI', problems) };
  for (const [name, list] of Object.entries(entries)) checkReplacements(list, name.toUpperCase(), problems);
  const revision = typeof root['revision'] === 'string' ? root['revision'] : 'unnamed';
  return { matrix: { revision, entries }, problems };
}

function readEntries(value: JsonValue | undefined, kind: 'CSI' | 'CPI', problems: string[]): MatrixEntry[] {
  if (value === undefined) return [];
  if (!isObject(value)) {
    problems.push(`${kind} is not an object`);
    return [];
  }
  return Object.entries(value).flatMap(([version, raw]) => {
    const path = `${kind}.${version}`;
    if (!versionKey.test(version)) problems.push(`${path}: the key must be a version such as 3.8.0`);
    if (!isObject(raw)) {
      problems.push(`${path} is not an object`);
      return [];
    }
    return [readEntry(version, raw, kind, (text) => problems.push(`${path}.${text}`))];
  });
}

type Report = (problem: string) => void;

function readEntry(version: string, raw: JsonObject, kind: 'CSI' | 'CPI', report: Report): MatrixEntry {
  const { deploymentPath, sha256 } = readPaths(raw, report);
  const { withdrawn, upgradeFrom, downgradeTo, images, namespace } = raw;
  return {
    version,
    vSphere: readRange(raw['vSphere'], 'vSphere', report),
    kubernetes: readKubernetes(raw['k8s'], report),
    isCPIRequired: raw['isCPIRequired'] === true,
    channel: raw['channel'] === 'lts' ? 'lts' : 'latest',
    ...(isObject(withdrawn) && { withdrawn: readWithdrawal(withdrawn) }),
    ...(typeof upgradeFrom === 'string' && { upgradeFrom }),
    ...(typeof downgradeTo === 'string' && { downgradeTo }),
    deploymentPath,
    ...(sha256 && { sha256 }),
    ...(isObject(images) && { images: texts(images) }),
    ...(typeof namespace === 'string' && { namespace }),
    configFormat: kind === 'CPI' && raw['configFormat'] === 'ini' ? 'ini' : 'yaml',
  };
}

function readPaths(raw: JsonObject, report: Report): { deploymentPath: string[]; sha256: string[] | undefined } {
  const deploymentPath = textList(raw['deploymentPath']);
  if (deploymentPath.length === 0) report('deploymentPath must not be empty');
  const sha256 = raw['sha256'] === undefined ? undefined : textList(raw['sha256']);
  if (sha256 !== undefined && sha256.length !== deploymentPath.length)
    report('sha256 and deploymentPath must have the same number of entries');
  for (const digest of sha256 ?? [])
    if (!/^[0-9a-f]{64}$/i.test(digest)) report('each entry of sha256 must consist of 64 hexadecimal digits');
  for (const name of ['upgradeFrom', 'downgradeTo'] as const) {
    const range = raw[name];
    if (range !== undefined && (typeof range !== 'string' || !isRange(range))) report(`${name} is not a version range`);
  }
  return { deploymentPath, sha256 };
}

function readWithdrawal({ reason, since, replacement }: JsonObject): Withdrawal {
  return {
    reason: typeof reason === 'string' ? reason : 'no reason given',
    ...(typeof since === 'string' && { since }),
    ...(typeof replacement === 'string' && { replacement }),
  };
}

function readKubernetes(value: JsonValue | undefined, report: Report): VersionRange {
  const skew = isObject(value) ? value['skewVersion'] : undefined;
  if (skew === undefined) return readRange(value, 'k8s', report);
  if (typeof skew !== 'string' || !isDotted(skew)) {
    report('k8s.skewVersion must be a version such as 1.36');
    return { min: '0.0', max: '0.0' };
  }
  const own = value as JsonObject;
  if ('min' in own || 'max' in own) {
    const range = readRange(value, 'k8s', report);
    if (!isWithin(skew, range)) report(`k8s.skewVersion ${skew} contradicts min ${range.min} and max ${range.max}`);
  }
  return { min: skew, max: skew };
}

function readRange(value: JsonValue | undefined, name: string, report: Report): VersionRange {
  const { min, max } = isObject(value) ? value : {};
  if (typeof min !== 'string' || typeof max !== 'string' || !isDotted(min) || !isDotted(max)) {
    report(`${name} requires min and max, each such as 7.0.2`);
    return { min: '0.0', max: '0.0' };
  }
  if (!isWithin(min, { min: '0.0', max })) report(`${name}.min ${min} is above ${name}.max ${max}`);
  return { min, max };
}

/** Reports replacements that do not exist or are themselves withdrawn. */
function checkReplacements(entries: readonly MatrixEntry[], kind: string, problems: string[]): void {
  for (const { version, withdrawn } of entries) {
    const { replacement } = withdrawn ?? {};
    if (replacement === undefined) continue;
    const other = entries.find((entry) => entry.version === replacement);
    if (other === undefined)
      problems.push(`${kind}.${version}.withdrawn.replacement ${replacement} is not in the matrix`);
    else if (other.withdrawn !== undefined)
      problems.push(`${kind}.${version}.withdrawn.replacement ${replacement} is withdrawn as well`);
  }
}

function texts(value: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  );
}

function textList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? (value as JsonValue[]).filter((item) => typeof item === 'string') : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
