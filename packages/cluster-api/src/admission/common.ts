import {
  deepEqual,
  type FieldError,
  forbiddenField,
  invalidField,
  type LabelSelectorObject,
  labelSelectorFromObject,
  type ObjectMeta,
  validateAnnotations,
  validateLabels,
  validateLabelSelector,
} from '@slipway/kube';
import { labels, topologyAnnotations } from '../api/names.js';
import { isKubernetesVersion, withVersionPrefix } from '../version/index.js';
import type { AdmissionContext } from './admission.js';

interface Labelled {
  labels?: Record<string, string>;
}

/** Sets a label. Creates the label map if it is missing. */
export function setLabel(holder: Labelled, key: string, value: string): void {
  holder.labels ??= {};
  holder.labels[key] = value;
}

export function setClusterLabel(metadata: ObjectMeta, clusterName: string): void {
  setLabel(metadata, labels.clusterName, clusterName);
}

export function defaultVersion(spec: { version?: string }): void {
  if (spec.version !== undefined) spec.version = withVersionPrefix(spec.version);
}

export function validateVersion(path: string, version: string | undefined): FieldError[] {
  if (version === undefined || isKubernetesVersion(version)) return [];
  return [invalidField(path, version, 'must be a valid semantic version')];
}

/** Rejects a change of a field that is already set. */
export function validateImmutable(path: string, value: unknown, old: unknown): FieldError[] {
  return deepEqual(value, old) ? [] : [forbiddenField(path, 'field is immutable')];
}

export function validateClusterName(
  spec: { clusterName?: string },
  old: { clusterName?: string } | undefined,
): FieldError[] {
  return old === undefined ? [] : validateImmutable('spec.clusterName', spec.clusterName, old.clusterName);
}

/** Rejects an empty label selector: selecting every machine is almost always a mistake. */
export function validateSelector(path: string, selector: LabelSelectorObject): FieldError[] {
  const errors = validateLabelSelector(selector, path);
  if (errors.length > 0) return errors;
  return labelSelectorFromObject(selector).empty ? [invalidField(path, selector, 'selector must not be empty')] : [];
}

interface Template {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
}

export function validateTemplateMetadata(path: string, metadata: Template['metadata']): FieldError[] {
  return [
    ...validateLabels(metadata?.labels ?? null, `${path}.labels`),
    ...validateAnnotations(metadata?.annotations ?? null, `${path}.annotations`),
  ];
}

/** Rejects a selector that does not match the labels of machines created from the template. */
export function validateSelectorMatches(selector: LabelSelectorObject, template: Template): FieldError[] {
  const errors = validateLabelSelector(selector, 'spec.selector');
  if (errors.length > 0) return errors;
  const found = labelSelectorFromObject(selector).matches(template.metadata?.labels ?? {});
  if (found) return [];
  return [invalidField('spec.template.metadata.labels', template.metadata?.labels, 'must match spec.selector')];
}

interface Selecting {
  readonly clusterName: string;
  readonly selector: { matchLabels?: Record<string, string>; matchExpressions?: unknown[] };
  readonly template: { metadata?: { labels?: Record<string, string> } };
}

/**
 * Sets an empty selector to the name label of the object, and adds the cluster name label to every selector. Also sets the added
 * labels on the machine template.
 */
export function defaultTemplateLabels(spec: Selecting, nameLabel: string, name: string): void {
  const { selector, template } = spec;
  const matchLabels = selector.matchLabels ?? {};
  template.metadata ??= {};
  const isEmpty = Object.keys(matchLabels).length === 0 && (selector.matchExpressions ?? []).length === 0;
  if (isEmpty) {
    matchLabels[nameLabel] = name;
    setLabel(template.metadata, nameLabel, name);
  }
  matchLabels[labels.clusterName] = spec.clusterName;
  setLabel(template.metadata, labels.clusterName, spec.clusterName);
  selector.matchLabels = matchLabels;
}

interface TemplateObject {
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly template: { readonly spec?: unknown } };
}

/**
 * Rejects changes of a template, so that all machines created from it are equal: a change requires a new template. The topology
 * controller may still dry-run a change.
 */
export function validateTemplateUnchanged(
  object: TemplateObject,
  old: TemplateObject | undefined,
  context: AdmissionContext,
): FieldError[] {
  const asking = context.dryRun && Object.hasOwn(object.metadata.annotations ?? {}, topologyAnnotations.dryRun);
  if (old === undefined || asking || deepEqual(object.spec?.template.spec, old.spec?.template.spec)) return [];
  const path = 'spec.template.spec';
  return [
    invalidField(
      path,
      object.spec?.template.spec,
      `${object.kind} ${path} field is immutable. Please create a new resource instead.`,
    ),
  ];
}
