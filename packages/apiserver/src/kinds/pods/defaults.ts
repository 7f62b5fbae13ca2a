import { child, fields, type Fields, fill, has, list, set, text } from '../shared/fields.js';

const fileMode = 0o644;

/** Sets the defaults of pod specs, in pods and in templates. */
export function defaultPodSpec(spec: Fields): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  // Keep the deprecated field `serviceAccount` equal to `serviceAccountName`.
  const account = text(spec.serviceAccountName) || text(spec.serviceAccount);
  if (account !== '') for (const key of ['serviceAccountName', 'serviceAccount']) set(spec, key, account);
  for (const key of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of list(spec[key])) defaultContainer(container, spec.hostNetwork === true);
  }
  for (const volume of list(spec.volumes)) defaultVolume(volume);
}

/** Sets the defaults of pods that do not apply to templates. */
export function defaultPod(spec: Fields): void {
  fill(spec, { enableServiceLinks: true });
  for (const key of ['initContainers', 'containers']) {
    for (const container of list(spec[key])) requestWhatIsLimited(child(container, 'resources'));
  }
}

function requestWhatIsLimited(resources: Fields): void {
  if (!has(resources.limits)) return;
  fill(child(resources, 'requests'), resources.limits);
}

export function defaultPodTemplate(template: Fields): void {
  child(template, 'metadata');
  defaultPodSpec(child(template, 'spec'));
}

function defaultContainer(container: Fields, hostNetwork: boolean): void {
  fill(container, {
    resources: {},
    imagePullPolicy: pullPolicyOf(text(container.image)),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  for (const port of list(container.ports)) {
    fill(port, { protocol: 'TCP' });
    if (hostNetwork) fill(port, { hostPort: port.containerPort });
  }
  for (const variable of list(container.env)) {
    const reference = fields(variable.valueFrom).fieldRef;
    if (has(reference)) fill(reference, { apiVersion: 'v1' });
  }
  for (const key of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (has(container[key])) defaultProbe(container[key]);
  }
  for (const key of ['postStart', 'preStop']) defaultHttpGet(fields(fields(container.lifecycle)[key]));
}

/** Returns the default imagePullPolicy: Always for images without a tag or with the tag `latest`, unless they have a digest. */
function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  const colon = name.indexOf(':');
  return colon < 0 || name.slice(colon + 1) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultProbe(probe: Fields): void {
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  defaultHttpGet(probe);
  if (has(probe.grpc)) fill(probe.grpc, { service: '' });
}

function defaultHttpGet(handler: Fields): void {
  if (has(handler.httpGet)) fill(handler.httpGet, { path: '/', scheme: 'HTTP' });
}

function defaultVolume(volume: Fields): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  for (const key of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    if (has(volume[key])) fill(volume[key], { defaultMode: fileMode });
  }
  if (has(volume.hostPath)) fill(volume.hostPath, { type: '' });
  if (has(volume.image)) fill(volume.image, { pullPolicy: pullPolicyOf(text(volume.image.reference)) });
  defaultDownward(fields(volume.downwardAPI));
  for (const source of list(fields(volume.projected).sources)) {
    if (has(source.serviceAccountToken)) fill(source.serviceAccountToken, { expirationSeconds: 3600 });
    defaultDownward(fields(source.downwardAPI));
  }
  const claim = fields(fields(volume.ephemeral).volumeClaimTemplate).spec;
  if (has(claim)) fill(claim, { volumeMode: 'Filesystem' });
}

function defaultDownward(source: Fields): void {
  for (const item of list(source.items)) if (has(item.fieldRef)) fill(item.fieldRef, { apiVersion: 'v1' });
}
