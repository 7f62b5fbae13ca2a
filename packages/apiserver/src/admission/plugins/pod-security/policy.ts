import { type FieldError, invalidField } from '@slipway/kube';
import { baselineChecks } from './baseline-checks.js';
import type { PodView } from './check.js';
import { overriddenChecks, restrictedChecks } from './restricted-checks.js';

export type Level = 'privileged' | 'baseline' | 'restricted';
export type Mode = 'enforce' | 'audit' | 'warn';

/** A Pod Security level and the Kubernetes version that the label names. All versions use the checks of the latest one. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: string;
}

const prefix = 'pod-security.kubernetes.io/';
const levels: readonly string[] = ['privileged', 'baseline', 'restricted'];
const versionForm = /^(latest|v1\.[0-9]{1,4})$/;

type Labels = Readonly<Record<string, string>> | undefined;

/**
 * Returns the policy of a namespace in one mode. An invalid level means restricted, so that a typo does not weaken the policy.
 */
export function levelOf(labels: Labels, mode: Mode): LevelVersion {
  const level = labels?.[`${prefix}${mode}`];
  const version = labels?.[`${prefix}${mode}-version`] ?? 'latest';
  if (level === undefined) return { level: 'privileged', version: 'latest' };
  if (!levels.includes(level)) return { level: 'restricted', version: 'latest' };
  return { level: level as Level, version: versionForm.test(version) ? version : 'latest' };
}

export function labelErrors(labels: Labels): readonly FieldError[] {
  return (['enforce', 'audit', 'warn'] as const).flatMap((mode) => {
    const [level, version] = [labels?.[`${prefix}${mode}`], labels?.[`${prefix}${mode}-version`]];
    const errors: FieldError[] = [];
    if (level !== undefined && !levels.includes(level))
      errors.push(invalidField(`metadata.labels[${prefix}${mode}]`, level, `must be one of ${levels.join(', ')}`));
    if (version !== undefined && !versionForm.test(version))
      errors.push(invalidField(`metadata.labels[${prefix}${mode}-version]`, version, 'must be "latest" or "v1.x"'));
    return errors;
  });
}

/** Returns the violations of the level in upstream's wording; empty if there are none. */
export function violationsOf({ level }: LevelVersion, pod: PodView): string {
  if (level === 'privileged') return '';
  const checks =
    level === 'baseline'
      ? baselineChecks
      : [...baselineChecks.filter(({ id }) => !overriddenChecks.has(id)), ...restrictedChecks];
  return checks
    .flatMap((check) => {
      const violation = check.run(pod);
      return violation === undefined ? [] : [`${violation.reason} (${violation.detail})`];
    })
    .join(', ');
}

export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}
