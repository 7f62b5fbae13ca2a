import type { Frozen } from '@slipway/kube';
import type { Machine, MachineSet } from '../api/index.js';
import { fnv32a } from '../naming/index.js';

export type ObservedTemplate = Frozen<MachineSet['spec']['template']>;
type ObservedMachineSpec = Frozen<Machine['spec']>;

const templateSuffix = /Template$/;

/**
 * What a machine cannot change while it lives. Everything else of a template (labels, annotations, deletion timeouts,
 * readiness gates, taints, minReadySeconds) is carried over to the machines that exist.
 */
function rolloutFieldsOf({ version, bootstrap, infrastructureRef, failureDomain }: ObservedMachineSpec) {
  return { version: version ?? '', bootstrap, infrastructureRef, failureDomain: failureDomain ?? '' };
}

/**
 * Why machines of the current template have to be replaced to get those of the wanted one, as the lines of a condition;
 * empty when they do not. Lines name the kind of the machine's own objects, which has no `Template` at its end.
 */
export function rolloutDifferences(current: ObservedTemplate, wanted: ObservedTemplate): string[] {
  const now = rolloutFieldsOf(current.spec);
  const then = rolloutFieldsOf(wanted.spec);
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

function bootstrapDifferences(current: Bootstrap, wanted: Bootstrap): string[] {
  if (wanted.configRef === undefined) {
    const [now, then] = [current.dataSecretName ?? '', wanted.dataSecretName ?? ''];
    return now === then ? [] : [`* spec.bootstrap.dataSecretName ${now}, ${then} required`];
  }
  // A data secret beside a reference is written by the machine, it is no wish.
  if (sameReference(current.configRef, wanted.configRef)) return [];
  return [`* ${(current.configRef ?? wanted.configRef).kind.replace(templateSuffix, '')} is not up-to-date`];
}

function sameReference(left: Reference | undefined, right: Reference | undefined): boolean {
  return left?.apiGroup === right?.apiGroup && left?.kind === right?.kind && left?.name === right?.name;
}

/**
 * A number that differs between most templates. It only makes names readable: whether a template changed is never
 * decided by it, since two of them may share a number.
 */
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
