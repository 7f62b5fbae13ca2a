import { formatDuration } from '@slipway/kube';
import type { KubeadmApiVersion } from '../kubernetes-version.js';

/** The fields of a document. Undefined ones are not written, like zero values with Go's `omitempty`. */
export type Members = Record<string, unknown>;

export interface Argument {
  readonly name: string;
  readonly value: string;
}

/** Removes fields that are undefined, empty strings or empty lists. */
export function omitEmpty(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

const secondNs = 1_000_000_000n;

/** Formats seconds as a duration: `1200` as `20m0s`. */
export function secondsText(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : formatDuration(BigInt(seconds) * secondNs);
}

export function daysText(days: number | undefined): string | undefined {
  return days === undefined || days === 0 ? undefined : secondsText(days * 86_400);
}

/** Returns arguments as a list for v1beta4, and as a map before. In a map, the last of several equal names is used. */
export function extraArgs(args: readonly Argument[] | undefined, version: KubeadmApiVersion): unknown {
  if (args === undefined || args.length === 0) return undefined;
  if (version === 'kubeadm.k8s.io/v1beta4') return args.map(({ name, value }) => ({ name, value }));
  const values = Object.create(null) as Record<string, string>;
  for (const { name, value } of args) values[name] = value;
  return values;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly [source: string]: { readonly [member: string]: unknown } | undefined };
}

/** Returns environment variables. Only v1beta4 supports them. */
export function extraEnvs(envs: readonly EnvironmentVariable[] | undefined, version: KubeadmApiVersion): unknown {
  if (version === 'kubeadm.k8s.io/v1beta3') return undefined;
  return envs?.map(({ name, value, valueFrom }) => ({
    name,
    ...omitEmpty({ value }),
    ...(valueFrom === undefined ? {} : { valueFrom: sourcesOf(valueFrom) }),
  }));
}

function sourcesOf(valueFrom: NonNullable<EnvironmentVariable['valueFrom']>): Members {
  const sources = Object.entries(valueFrom).map(([name, source]) => {
    const members = Object.entries(source ?? {}).filter(([, member]) => member !== '' && member !== undefined);
    // A Go quantity cannot be absent, so zero is written. It means the default divisor of the resource.
    return [name, { ...(name === 'resourceFieldRef' ? { divisor: '0' } : {}), ...Object.fromEntries(members) }];
  });
  return Object.fromEntries(sources) as Members;
}

export interface Volume {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly pathType?: string;
}

export function extraVolumes(volumes: readonly Volume[] | undefined): Members[] | undefined {
  return volumes?.map(({ name, hostPath, mountPath, readOnly, pathType }) => ({
    name,
    hostPath,
    mountPath,
    ...omitEmpty({ readOnly, pathType }),
  }));
}
