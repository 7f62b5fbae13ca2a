import {
  cloneJson,
  type FieldError,
  type Frozen,
  type Kind,
  type KubeObject,
  type MutableJsonObject,
  schemaOfKind,
} from '@slipway/kube';
import type { ObjectOf } from '@slipway/kube/kit';
import type { Client } from '@slipway/runtime';
import { type FeatureGates, featureGateDefaults } from '../feature-gates.js';
import { requiredMembersOf } from './required-members.js';

/** What defaulting and validation may know beside the objects themselves. */
export interface AdmissionContext {
  readonly features: FeatureGates;
  /** Nothing will be stored: the caller only wants to know what would be. */
  readonly dryRun: boolean;
}

export const defaultAdmissionContext: AdmissionContext = { features: featureGateDefaults, dryRun: false };

/** Changes a new object, or a new version of an old one, in place. */
export type Defaulter<T> = (object: T, old: T | undefined, context: AdmissionContext) => void;

/** What is wrong with a new object, or with a new version of an old one. */
export type Validator<T> = (object: T, old: T | undefined, context: AdmissionContext) => FieldError[];

/** What judges may ask: the API server. */
export type AdmissionReader = Pick<Client, 'get' | 'list'>;

/** A write: one of the two is absent when an object is made or deleted. */
export interface AdmissionChange<T> {
  readonly object?: T;
  readonly old?: T;
}

/** What is wrong with a change in the light of other objects. May also throw a StatusError. */
export type Judge<T> = (
  change: AdmissionChange<T>,
  context: AdmissionContext,
  reader: AdmissionReader,
) => Promise<FieldError[]>;

/** What happens to objects of a kind before they are stored, as upstream's webhooks do it. All see the storage version. */
export interface KindAdmission {
  readonly kind: Kind;
  applyDefaults(object: KubeObject, old: Frozen<KubeObject> | undefined, context: AdmissionContext): void;
  validate(
    object: Frozen<KubeObject>,
    old: Frozen<KubeObject> | undefined,
    context: AdmissionContext,
  ): readonly FieldError[];
  judge?(
    change: AdmissionChange<Frozen<KubeObject>>,
    context: AdmissionContext,
    reader: AdmissionReader,
  ): Promise<readonly FieldError[]>;
}

export function defineAdmission<K extends Kind>(
  kind: K,
  functions: {
    readonly defaults?: Defaulter<ObjectOf<K>>;
    readonly validate?: Validator<ObjectOf<K>>;
    readonly judge?: Judge<ObjectOf<K>>;
  },
): KindAdmission {
  const { defaults = () => {}, validate = () => [], judge } = functions;
  const required = requiredMembersOf(schemaOfKind(kind));
  const completed = (object: unknown): ObjectOf<K> => {
    const json = object as MutableJsonObject;
    if (required.isComplete(json)) return object as ObjectOf<K>;
    const copy = cloneJson(json) as MutableJsonObject;
    required.complete(copy);
    return copy as unknown as ObjectOf<K>;
  };
  return {
    kind,
    applyDefaults(object, old, context) {
      const takeAway = required.complete(object as unknown as MutableJsonObject);
      defaults(object as unknown as ObjectOf<K>, old && completed(old), context);
      takeAway();
    },
    validate: (object, old, context) => validate(completed(object), old && completed(old), context),
    ...(judge && {
      judge: ({ object, old }, context, reader) =>
        judge({ ...(object && { object: completed(object) }), ...(old && { old: completed(old) }) }, context, reader),
    }),
  };
}

/** A kind's admission with everything decided that does not change from request to request. */
export interface BoundAdmission {
  readonly kind: Kind;
  applyDefaults(object: KubeObject, old: Frozen<KubeObject> | undefined, request: { readonly dryRun: boolean }): void;
  validate(
    object: Frozen<KubeObject>,
    old: Frozen<KubeObject> | undefined,
    request: { readonly dryRun: boolean },
  ): readonly FieldError[];
  judge?(change: AdmissionChange<Frozen<KubeObject>> & { readonly dryRun: boolean }): Promise<readonly FieldError[]>;
}

/** Without a reader nothing is judged that takes looking at other objects. */
export function bindAdmission(
  admissions: readonly KindAdmission[],
  features: FeatureGates,
  reader?: AdmissionReader,
): readonly BoundAdmission[] {
  return admissions.map((admission) => ({
    kind: admission.kind,
    applyDefaults: (object, old, { dryRun }) => admission.applyDefaults(object, old, { features, dryRun }),
    validate: (object, old, { dryRun }) => admission.validate(object, old, { features, dryRun }),
    ...(reader &&
      admission.judge && {
        judge: async ({ dryRun, ...change }) => (await admission.judge?.(change, { features, dryRun }, reader)) ?? [],
      }),
  }));
}
