import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { Failure, noSuchOverload, Opaque } from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asText } from './function.js';

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (string | bigint)[];
}

class SemverValue extends Opaque {
  readonly type: CelType = namedType('Semver');

  constructor(readonly version: Version) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    return other instanceof SemverValue ? compareVersions(this.version, other.version) === 0n : noSuchOverload();
  }
}

const NAMES = ['Major', 'Minor', 'Patch'] as const;

const SHAPE = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s;

function parseVersion(text: string): Version | Failure {
  if (text === '') return new Failure('Version string empty');
  if (text.split('.').length < 3) return new Failure('No Major.Minor.Patch elements found');
  const [, core = '', prerelease, build] = SHAPE.exec(text) ?? [];
  const numbers = readNumbers(splitCore(core));
  if (numbers instanceof Failure) return numbers;
  const identifiers = prerelease === undefined ? [] : readPrerelease(prerelease);
  if (identifiers instanceof Failure) return identifiers;
  const problem = build === undefined ? undefined : buildProblem(build);
  return problem ?? { numbers, prerelease: identifiers };
}

/**
 * Splits a version at the first two dots. Everything after the second dot is the patch, so that a fourth number is reported as an
 * invalid character.
 */
function splitCore(text: string): readonly string[] {
  const parts = text.split('.');
  return [parts[0] ?? '', parts[1] ?? '', parts.slice(2).join('.')];
}

function outOfRange(part: string): Failure {
  return new Failure(`strconv.ParseUint: parsing ${JSON.stringify(part)}: value out of range`);
}

function readNumbers(parts: readonly string[]): readonly [bigint, bigint, bigint] | Failure {
  const numbers: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    const name = NAMES[index] ?? 'Patch';
    if (!/^[0-9]*$/.test(part))
      return new Failure(`Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(part)}`);
    if (part.length > 1 && part.startsWith('0'))
      return new Failure(`${name} number must not contain leading zeroes ${JSON.stringify(part)}`);
    if (part === '') return new Failure('strconv.ParseUint: parsing "": invalid syntax');
    const value = part.length > 20 ? 2n ** 70n : BigInt(part);
    if (value > 0xffff_ffff_ffff_ffffn) return outOfRange(part);
    numbers.push(value);
  }
  return [numbers[0] ?? 0n, numbers[1] ?? 0n, numbers[2] ?? 0n];
}

function readPrerelease(text: string): readonly (string | bigint)[] | Failure {
  const identifiers: (string | bigint)[] = [];
  for (const part of text.split('.')) {
    if (part === '') return new Failure('Prerelease is empty');
    if (/^[0-9]+$/.test(part)) {
      if (part.length > 1 && part.startsWith('0')) {
        return new Failure(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`);
      }
      const value = part.length > 20 ? 2n ** 70n : BigInt(part);
      if (value > 0xffff_ffff_ffff_ffffn) return outOfRange(part);
      identifiers.push(value);
    } else if (/^[0-9A-Za-z-]+$/.test(part)) identifiers.push(part);
    else return new Failure(`Invalid character(s) found in prerelease ${JSON.stringify(part)}`);
  }
  return identifiers;
}

function buildProblem(text: string): Failure | undefined {
  for (const part of text.split('.')) {
    if (part === '') return new Failure('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part))
      return new Failure(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return undefined;
}

function normalize(text: string): string | Failure {
  const parts = text.replace(/^v/, '').split('.');
  const three = parts.length > 3 ? [parts[0] ?? '', parts[1] ?? '', parts.slice(2).join('.')] : parts;
  const trimmed = three.map((part) => {
    if (part.length <= 1) return part;
    const stripped = part.replace(/^0+/, '');
    return /^[0-9]/.test(stripped) ? stripped : `0${stripped}`;
  });
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? '')) {
    return new Failure('short version cannot contain PreRelease/Build meta data');
  }
  while (trimmed.length < 3) trimmed.push('0');
  return trimmed.join('.');
}

function toSemver(text: Value = null, normalized: Value = false): Value {
  const source = normalized === true ? normalize(asText(text)) : asText(text);
  if (source instanceof Failure) return source;
  const version = parseVersion(source);
  return version instanceof Failure ? version : new SemverValue(version);
}

const isSemver: Implementation = (text, normalized) =>
  toSemver(text ?? null, normalized ?? false) instanceof SemverValue;

function compareVersions(a: Version, b: Version): bigint {
  for (let index = 0; index < 3; index += 1) {
    const left = a.numbers[index] ?? 0n;
    const right = b.numbers[index] ?? 0n;
    if (left !== right) return left < right ? -1n : 1n;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(a: Version['prerelease'], b: Version['prerelease']): bigint {
  if (a.length === 0 || b.length === 0) return BigInt(Number(a.length === 0) - Number(b.length === 0));
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const order = compareIdentifiers(a[index] ?? '', b[index] ?? '');
    if (order !== 0n) return order;
  }
  return BigInt(Math.sign(a.length - b.length));
}

/** Compares prerelease identifiers: numeric identifiers sort before alphanumeric ones. */
function compareIdentifiers(a: string | bigint, b: string | bigint): bigint {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1n : 1n;
  if (a === b) return 0n;
  return a < b ? -1n : 1n;
}

function number(index: 0 | 1 | 2): Implementation {
  return (value) => (value instanceof SemverValue ? BigInt.asIntN(64, value.version.numbers[index]) : noSuchOverload());
}

function between(test: (order: bigint) => Value): Implementation {
  return (a, b) =>
    a instanceof SemverValue && b instanceof SemverValue
      ? test(compareVersions(a.version, b.version))
      : noSuchOverload();
}

export const semverLibrary: Library = {
  semver: [
    ['string_to_semver', '(string): Semver', toSemver],
    ['string_bool_to_semver', '(string, bool): Semver', toSemver],
  ],
  isSemver: [
    ['is_semver_string', '(string): bool', isSemver],
    ['is_semver_string_bool', '(string, bool): bool', isSemver],
  ],
  isGreaterThan: [['semver_is_greater_than', 'Semver.(Semver): bool', between((order) => order > 0n)]],
  isLessThan: [['semver_is_less_than', 'Semver.(Semver): bool', between((order) => order < 0n)]],
  compareTo: [['semver_compare_to', 'Semver.(Semver): int', between((order) => order)]],
  major: [['semver_major', 'Semver.(): int', number(0)]],
  minor: [['semver_minor', 'Semver.(): int', number(1)]],
  patch: [['semver_patch', 'Semver.(): int', number(2)]],
};
