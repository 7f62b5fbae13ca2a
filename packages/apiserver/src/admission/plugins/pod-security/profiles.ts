import { type Fields, fieldsOf, textOf } from '@slipway/kube';
import { allContainers, type Check, containerText, namesOf, plural, podSecurity, quoted, sorted } from './check.js';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

export const appArmorProfile: Check = {
  id: 'appArmorProfile',
  run(pod) {
    const typeOf = (security: Fields): string => textOf(fieldsOf(security['appArmorProfile'])['type']);
    const bad = allContainers(pod).filter(({ security }) => typeOf(security) === 'Unconfined');
    const details: string[] = [];
    if (typeOf(podSecurity(pod)) === 'Unconfined')
      details.push('pod must not set securityContext.appArmorProfile.type to "Unconfined"');
    if (bad.length > 0)
      details.push(`${containerText(namesOf(bad))} must not set securityContext.appArmorProfile.type to "Unconfined"`);
    const annotations = Object.entries(pod.annotations)
      .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedAppArmor(value))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .sort();
    if (annotations.length > 0)
      details.push(`${plural('annotation', 'annotations', annotations.length)} ${annotations.join(', ')}`);
    if (details.length === 0) return undefined;
    const reason = plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', details.length);
    return { reason, detail: details.join('; ') };
  },
};

function isAllowedAppArmor(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

const seLinuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  run(pod) {
    const all = [podSecurity(pod), ...allContainers(pod).map(({ security }) => security)].map((security) =>
      fieldsOf(security['seLinuxOptions']),
    );
    const types = sorted(all.map((options) => textOf(options['type'])).filter((type) => !seLinuxTypes.has(type)));
    const user = all.some((options) => textOf(options['user']) !== '');
    const role = all.some((options) => textOf(options['role']) !== '');
    if (types.length === 0 && !user && !role) return undefined;
    const options = [
      ...(types.length === 0 ? [] : [`${plural('type', 'types', types.length)} ${quoted(types)}`]),
      ...(user ? ['user may not be set'] : []),
      ...(role ? ['role may not be set'] : []),
    ];
    const bad = allContainers(pod).filter(({ security }) => isForbiddenSeLinux(security));
    const subjects = [
      ...(isForbiddenSeLinux(podSecurity(pod)) ? ['pod'] : []),
      ...(bad.length === 0 ? [] : [containerText(namesOf(bad))]),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${subjects.join(' and ')} set forbidden securityContext.seLinuxOptions: ${options.join('; ')}`,
    };
  },
};

function isForbiddenSeLinux(security: Fields): boolean {
  const options = fieldsOf(security['seLinuxOptions']);
  return !seLinuxTypes.has(textOf(options['type'])) || textOf(options['user']) !== '' || textOf(options['role']) !== '';
}

function seccompType(security: Fields): string {
  return textOf(fieldsOf(security['seccompProfile'])['type']);
}

export const seccompProfileBaseline: Check = {
  id: 'seccompProfile_baseline',
  run(pod) {
    const bad = allContainers(pod).filter(({ security }) => seccompType(security) === 'Unconfined');
    const subjects = [
      ...(seccompType(podSecurity(pod)) === 'Unconfined' ? ['pod'] : []),
      ...(bad.length === 0 ? [] : [containerText(namesOf(bad))]),
    ];
    if (subjects.length === 0) return undefined;
    return {
      reason: 'seccompProfile',
      detail: `${subjects.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined"`,
    };
  },
};

const seccompAllowed = new Set(['RuntimeDefault', 'Localhost']);

export const seccompProfileRestricted: Check = {
  id: 'seccompProfile_restricted',
  run(pod) {
    const ofPod = seccompType(podSecurity(pod));
    const isPodAllowed = seccompAllowed.has(ofPod);
    const containers = allContainers(pod);
    const wrong = containers.filter(({ security }) => !['', ...seccompAllowed].includes(seccompType(security)));
    const missing = containers.filter(({ security }) => seccompType(security) === '');
    const wrongPod = ofPod !== '' && !isPodAllowed;
    const details: string[] = [];
    if (wrongPod || wrong.length > 0) {
      const subjects = [...(wrongPod ? ['pod'] : []), ...(wrong.length === 0 ? [] : [containerText(namesOf(wrong))])];
      const types = sorted([...(wrongPod ? [ofPod] : []), ...wrong.map(({ security }) => seccompType(security))]);
      details.push(`${subjects.join(' and ')} must not set securityContext.seccompProfile.type to ${quoted(types)}`);
    } else if (!isPodAllowed && missing.length > 0) {
      details.push(
        `pod or ${containerText(namesOf(missing))} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
      );
    }
    return details.length === 0 ? undefined : { reason: 'seccompProfile', detail: details.join('; ') };
  },
};
