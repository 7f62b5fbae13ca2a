import { type Fields, fieldsOf, itemsOf, textOf, textsOf } from '@slipway/kube';
import {
  allContainers,
  type Check,
  containerText,
  namesOf,
  plural,
  podSecurity,
  type PodView,
  quoted,
  sorted,
} from './check.js';
import { seccompProfileRestricted } from './profiles.js';

function isWindows({ spec }: PodView): boolean {
  return fieldsOf(spec['os'])['name'] === 'windows';
}

const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  run(pod) {
    if (isWindows(pod)) return undefined;
    const bad = allContainers(pod).filter(({ security }) => security['allowPrivilegeEscalation'] !== false);
    if (bad.length === 0) return undefined;
    return {
      reason: 'allowPrivilegeEscalation != false',
      detail: `${containerText(namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`,
    };
  },
};

const capabilities: Check = {
  id: 'capabilities_restricted',
  run(pod) {
    if (isWindows(pod)) return undefined;
    const listed = (security: Fields, list: string): readonly string[] =>
      textsOf(fieldsOf(security['capabilities'])[list]);
    const added = ({ security }: { readonly security: Fields }): readonly string[] =>
      listed(security, 'add').filter((name) => name !== 'NET_BIND_SERVICE');
    const containers = allContainers(pod);
    const undropped = containers.filter(({ security }) => !listed(security, 'drop').includes('ALL'));
    const adding = containers.filter((one) => added(one).length > 0);
    const details: string[] = [];
    if (undropped.length > 0)
      details.push(`${containerText(namesOf(undropped))} must set securityContext.capabilities.drop=["ALL"]`);
    if (adding.length > 0)
      details.push(
        `${containerText(namesOf(adding))} must not include ${quoted(sorted(adding.flatMap(added)))} in securityContext.capabilities.add`,
      );
    return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
  },
};

const allowedVolumes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  run({ spec }) {
    const bad = itemsOf(spec['volumes'])
      .map((volume) => ({ name: textOf(volume['name']), type: Object.keys(volume).find((key) => key !== 'name') }))
      .filter(({ type }) => type === undefined || !allowedVolumes.has(type));
    if (bad.length === 0) return undefined;
    const types = sorted(bad.map(({ type }) => type ?? 'unknown'));
    const volumes = `${plural('volume', 'volumes', bad.length)} ${quoted(bad.map(({ name }) => name))}`;
    const uses = `${plural('uses', 'use', bad.length)} restricted volume ${plural('type', 'types', types.length)}`;
    return { reason: 'restricted volume types', detail: `${volumes} ${uses} ${quoted(types)}` };
  },
};

const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  run(pod) {
    const ofPod = podSecurity(pod)['runAsNonRoot'];
    const containers = allContainers(pod);
    const explicit = containers.filter(({ security }) => security['runAsNonRoot'] === false);
    const implicit = containers.filter(({ security }) => typeof security['runAsNonRoot'] !== 'boolean');
    const subjects: string[] = [];
    if (ofPod === false) subjects.push('pod must not set securityContext.runAsNonRoot=false');
    if (explicit.length > 0)
      subjects.push(`${containerText(namesOf(explicit))} must not set securityContext.runAsNonRoot=false`);
    if (subjects.length === 0 && ofPod !== true && implicit.length > 0)
      subjects.push(`pod or ${containerText(namesOf(implicit))} must set securityContext.runAsNonRoot=true`);
    return subjects.length === 0 ? undefined : { reason: 'runAsNonRoot != true', detail: subjects.join('; ') };
  },
};

const runAsUser: Check = {
  id: 'runAsUser',
  run(pod) {
    const isRoot = (security: Fields): boolean => security['runAsUser'] === 0;
    const bad = allContainers(pod).filter(({ security }) => isRoot(security));
    const subjects = [
      ...(isRoot(podSecurity(pod)) ? ['pod'] : []),
      ...(bad.length === 0 ? [] : [containerText(namesOf(bad))]),
    ];
    if (subjects.length === 0) return undefined;
    return { reason: 'runAsUser=0', detail: `${subjects.join(' and ')} must not set runAsUser=0` };
  },
};

export const restrictedChecks: readonly Check[] = [
  allowPrivilegeEscalation,
  capabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfileRestricted,
];

/** Ids of baseline checks that the restricted level replaces with stricter ones. */
export const overriddenChecks: ReadonlySet<string> = new Set([
  'capabilities_baseline',
  'hostPathVolumes',
  'seccompProfile_baseline',
]);
