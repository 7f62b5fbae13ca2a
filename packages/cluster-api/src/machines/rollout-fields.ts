import type { Frozen } from '@slipway/kube';
import type { Machine, MachineSet } from '../api/index.js';
import { fnv32a } from '../naming/index.js';

export type ObservedTemplate = Frozen<MachineSet['spec']['template']>;
type ObservedMachineSpec = Frozen<Machine['spec']>;

const templateSuffix = /Template$/;

/**
 * Returns the fields whose change requires a new machine. All other fields of a template (labels, annotations, deletion timeouts,
 * readiness gates, taints, minReadySeconds) are propagated in place.
 */
function rolloutFieldsOf({ version, bootstrap, infrastructureRef, failureDomain }: ObservedMachineSpec) {
  return { version: version ?? '', bootstrap, infrastructureRef, failureDomain: failureDomain ?? '' };
}

/**
 * Returns why machines of the current template must be replaced to match the desired one, as lines of a condition message. Empty
 * if they need no replacement. Lines name the kind of the machine's objects, without `Template`.
 */
export function rolloutDifferences(current: ObservedTemplate, desired: ObservedTemplate): string[] {
  const now = rolloutFieldsOf(current.spec);
  const then = rolloutFieldsOf(desired.spec);
  const lines: string[] = [];
  if (now.version !== then.version) lines.push(`* Version ${now.version}, ${then.version} required`);
  lines.push(...bootstrapDifferences(now.bootstrap, then.bootstrap));
  if (!sameReference(now.infrastructureRef, then.infrastructureRef))
    lines.push(`* ${now.infrastructureRef.kind.replace(templateSuffix, '')} is not up-to-date`);
  if (now.failureDomain !== then.failureDomain)
    lines.push(`* Failure domain ${now.failureDomain}, ${then.failureDomain} required`);
  return lines;
}

type Bootstrap = ObservedMachineSpec['bootstrap'];
type Reference = ObservedMachineSpec['infrastructureRef'];

function bootstrapDifferences(current: Bootstrap, desired: Bootstrap): string[] {
  if (desired.configRef === undefined) {
    const [now, then] = [current.dataSecretName ?? '', desired.dataSecretName ?? ''];
    return now === then ? [] : [`* spec.bootstrap.dataSecretName ${now}, ${then} required`];
  }
  // With a configRef, ignore dataSecretName: the machine controller sets it.
  if (sameReference(current.configRef, desired.configRef)) return [];
  return [`* ${(current.configRef ?? desired.configRef).kind.replace(templateSuffix, '')} is not up-to-date`];
}

function sameReference(left: Reference | undefined, right: Reference | undefined): boolean {
  return left?.apiGroup === right?.apiGroup && left?.kind === right?.kind && left?.name === right?.name;
}

/** Returns a hash of the template, for names only. Comparisons never use it, because hashes may collide. */
export function rolloutHash(template: ObservedTemplate): number {
  const { version, bootstrap, infrastructureRef: infrastructure, failureDomain } = rolloutFieldsOf(template.spec);
  const { configRef, dataSecretName = '' } = bootstrap;
  return fnv32a(
    [
      version,
      configRef?.apiGroup ?? '',
      configRef?.kind ?? '',
      configRef?.name ?? dataSecretName,
      infrastructure.apiGroup,
      infrastructure.kind,
      infrastructure.name,
      failureDomain,
    ].join('\n'),
  );
}
