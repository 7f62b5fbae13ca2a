import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue, parseJsonValue } from '@slipway/kube';
import { satisfies, SemVer } from 'semver';
import { TemplateError } from '../template-error.js';
import { isDictionary, printed, type TemplateFunction, textOf, typeName } from '../template-values.js';

function json(value: unknown, escapes: boolean): string {
  const text = canonicalJson((value ?? null) as JsonValue);
  if (!escapes) return text;
  // Escaped as in Go, so that the text is safe inside HTML.
  return text.replace(/[<>&]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`);
}

function pretty(value: unknown): string {
  return JSON.stringify(JSON.parse(json(value, false)), undefined, 2);
}

function parsed(name: string, text: unknown): unknown {
  try {
    return parseJsonValue(textOf(name, text));
  } catch (error) {
    if (error instanceof TemplateError || name.startsWith('must'))
      throw new TemplateError(`error calling ${name}: ${error instanceof Error ? error.message : ''}`);
    return undefined;
  }
}

const digest = (algorithm: 'sha1' | 'sha256' | 'sha512', text: unknown): string =>
  createHash(algorithm).update(printed(text)).digest('hex');

function version(name: string, text: unknown): SemVer {
  try {
    return new SemVer(textOf(name, text));
  } catch {
    throw new TemplateError(`error calling ${name}: Invalid Semantic Version`);
  }
}

/** Whether a version is in a range. A range with a pre-release matches pre-releases. */
function inRange([range, text]: readonly unknown[]): boolean {
  const desired = textOf('semverCompare', range).replaceAll(',', ' ');
  return satisfies(version('semverCompare', text), desired, { includePrerelease: desired.includes('-') });
}

function versionParts([text]: readonly unknown[]): Record<string, unknown> {
  const { major, minor, patch, prerelease, build } = version('semver', text);
  return {
    Major: BigInt(major),
    Minor: BigInt(minor),
    Patch: BigInt(patch),
    Prerelease: prerelease.join('.'),
    Metadata: build.join('.'),
    Original: text,
  };
}

const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return 'invalid';
  if (Array.isArray(value)) return 'slice';
  return isDictionary(value) ? 'map' : typeName(value);
};

export const encodingFunctions: readonly (readonly [string, TemplateFunction])[] = [
  ['toJson', ([value]) => json(value, true)],
  ['mustToJson', ([value]) => json(value, true)],
  ['toRawJson', ([value]) => json(value, false)],
  ['mustToRawJson', ([value]) => json(value, false)],
  ['toPrettyJson', ([value]) => pretty(value)],
  ['mustToPrettyJson', ([value]) => pretty(value)],
  ['fromJson', ([text]) => parsed('fromJson', text)],
  ['mustFromJson', ([text]) => parsed('mustFromJson', text)],
  ['b64enc', ([text]) => Buffer.from(textOf('b64enc', text)).toString('base64')],
  ['b64dec', ([text]) => Buffer.from(textOf('b64dec', text), 'base64').toString('utf8')],
  ['sha1sum', ([text]) => digest('sha1', text)],
  ['sha256sum', ([text]) => digest('sha256', text)],
  ['sha512sum', ([text]) => digest('sha512', text)],
  ['semver', versionParts],
  ['semverCompare', inRange],
  ['typeOf', ([value]) => typeName(value)],
  ['typeIs', ([name, value]) => typeName(value) === name],
  ['kindOf', ([value]) => kindOf(value)],
  ['kindIs', ([name, value]) => kindOf(value) === name],
  ['base', ([path]) => textOf('base', path).replace(/\/+$/, '').split('/').at(-1) ?? ''],
  ['dir', ([path]) => textOf('dir', path).replace(/\/?[^/]*$/, '') || '.'],
  ['ext', ([path]) => /\.[^./]*$/.exec(textOf('ext', path))?.[0] ?? ''],
];
