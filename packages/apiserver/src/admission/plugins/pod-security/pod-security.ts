import { deepEqual, type Fields, fieldsOf, type Frozen, invalid, itemsOf, type KubeObject } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Store } from '../../../contract/index.js';
import { forbiddenRequestOf } from '../../refuse.js';
import { resourceOf, writes } from '../pod-request.js';
import type { PodView } from './check.js';
import { labelErrors, levelOf, levelText, type LevelVersion, violationsOf } from './policy.js';

/**
 * Workload resources and the path of their pod template. Violations in templates only cause warnings; enforcement applies to
 * pods.
 */
const templates = new Map<string, readonly string[]>([
  ['podtemplates', ['template']],
  ['replicationcontrollers', ['spec', 'template']],
  ['apps/replicasets', ['spec', 'template']],
  ['apps/deployments', ['spec', 'template']],
  ['apps/statefulsets', ['spec', 'template']],
  ['apps/daemonsets', ['spec', 'template']],
  ['batch/jobs', ['spec', 'template']],
  ['batch/cronjobs', ['spec', 'jobTemplate', 'spec', 'template']],
]);

/** Enforces the Pod Security Standards as configured by namespace labels. */
export function podSecurityPlugin(store: Store): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    handles(request) {
      if (request.operation !== 'CREATE' && request.operation !== 'UPDATE') return false;
      if (writes(request, 'namespaces', ['CREATE', 'UPDATE'])) return true;
      return isPod(request) || (request.subresource === '' && templates.has(resourceOf(request)));
    },
    validate(request) {
      if (request.object === undefined) return;
      if (request.resource.resource === 'namespaces') checkNamespace(store, request, request.object);
      else if (isPod(request)) checkPod(store, request, request.object);
      else checkTemplate(store, request, request.object);
    },
  };
}

function isPod(request: AdmissionRequest): boolean {
  return resourceOf(request) === 'pods' && ['', 'ephemeralcontainers'].includes(request.subresource);
}

type Labels = Readonly<Record<string, string>> | undefined;

function labelsFor(store: Store, request: AdmissionRequest): Labels {
  return store.get({ resource: 'namespaces', namespace: '', name: request.namespace })?.object.metadata.labels;
}

function checkPod(store: Store, request: AdmissionRequest, pod: KubeObject): void {
  const labels = labelsFor(store, request);
  if (labels === undefined || !isSignificant(request, pod)) return;
  const view = viewOf(pod);
  const enforced = levelOf(labels, 'enforce');
  const violations = violationsOf(enforced, view);
  if (violations !== '')
    throw forbiddenRequestOf(request, `violates PodSecurity "${levelText(enforced)}": ${violations}`);
  warn(request, levelOf(labels, 'warn'), view);
}

function checkTemplate(store: Store, request: AdmissionRequest, object: KubeObject): void {
  const labels = labelsFor(store, request);
  if (labels === undefined) return;
  const level = levelOf(labels, 'warn');
  if (level.level === 'privileged') return;
  const path = templates.get(resourceOf(request)) ?? [];
  const template = path.reduce<Fields>((node, step) => fieldsOf(node[step]), object);
  warn(request, level, {
    spec: fieldsOf(template['spec']),
    annotations: fieldsOf(fieldsOf(template['metadata'])['annotations']) as Record<string, string>,
  });
}

function warn(request: AdmissionRequest, level: LevelVersion, view: PodView): void {
  const violations = violationsOf(level, view);
  if (violations !== '') request.warn(`would violate PodSecurity "${levelText(level)}": ${violations}`);
}

function viewOf(pod: KubeObject | Frozen<KubeObject>): PodView {
  return { spec: fieldsOf(pod['spec']), annotations: pod.metadata.annotations ?? {} };
}

/**
 * Whether the write may make the pod less secure. Other updates are not checked, so that clients can still update and delete pods
 * that violate a level set after their creation.
 */
function isSignificant(request: AdmissionRequest, pod: KubeObject): boolean {
  if (request.operation === 'CREATE' || request.oldObject === undefined) return true;
  const [before, after] = [viewOf(request.oldObject), viewOf(pod)];
  return !deepEqual(relevant(before.spec), relevant(after.spec)) || !deepEqual(before.annotations, after.annotations);
}

function relevant(spec: Fields): Fields {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...rest } = spec;
  for (const list of ['initContainers', 'containers'])
    if (rest[list] !== undefined) rest[list] = itemsOf(rest[list]).map(({ image: _image, ...container }) => container);
  return rest;
}

const reportedMax = 10;

function checkNamespace(store: Store, request: AdmissionRequest, namespace: KubeObject): void {
  const { labels } = namespace.metadata;
  const before = request.oldObject?.metadata.labels;
  const errors = labelErrors(labels);
  if (errors.length > 0 && (request.operation === 'CREATE' || labelErrors(before).length === 0))
    throw invalid(request.kind, namespace.metadata.name ?? '', errors);
  if (request.operation !== 'UPDATE') return;
  const [level, old] = [levelOf(labels, 'enforce'), levelOf(before, 'enforce')];
  if (level.level === 'privileged' || levelText(level) === levelText(old)) return;
  warnOfExistingPods(store, request, namespace.metadata.name ?? '', level);
}

function warnOfExistingPods(store: Store, request: AdmissionRequest, name: string, level: LevelVersion): void {
  const found = new Map<string, string[]>();
  for (const { object } of store.list({ resource: 'pods', namespace: name })) {
    const violations = violationsOf(level, viewOf(object));
    if (violations === '') continue;
    const reasons = violations.replace(/ \([^()]*\)/g, '');
    found.set(reasons, [...(found.get(reasons) ?? []), object.metadata.name ?? '']);
  }
  if (found.size === 0) return;
  request.warn(`existing pods in namespace "${name}" violate the new PodSecurity enforce level "${levelText(level)}"`);
  for (const [reasons, pods] of [...found].slice(0, reportedMax)) {
    const others = pods.length - 1;
    const more = others === 0 ? '' : others === 1 ? ' (and 1 other pod)' : ` (and ${others} other pods)`;
    request.warn(`${pods[0] ?? ''}${more}: ${reasons}`);
  }
}
