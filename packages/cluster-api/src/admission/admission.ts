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

/** Inputs of defaulting and validation other than the objects. */
export interface AdmissionContext {
  readonly features: FeatureGates;
  /** Whether the request is a dry run, after which nothing is stored. */
  readonly dryRun: boolean;
}

export const defaultAdmissionContext: AdmissionContext = { features: featureGateDefaults, dryRun: false };

/** Sets defaults in place, on a new object (`old` is undefined) or on an update of `old`. */
export type Defaulter<T> = (object: T, old: T | undefined, context: AdmissionContext) => void;

/** Validates a new object (`old` is undefined) or an update of `old`. */
export type Validator<T> = (object: T, old: T | undefined, context: AdmissionContext) => FieldError[];

/** The API access of validators that read other objects. */
export type AdmissionReader = Pick<Client, 'get' | 'list'>;

/** The write to validate. `old` is absent for a create, `object` is absent for a delete. */
export interface AdmissionChange<T> {
  readonly object?: T;
  readonly old?: T;
}

/** Validates a change against other objects. May also throw a StatusError. */
export type LiveValidator<T> = (
  change: AdmissionChange<T>,
  context: AdmissionContext,
  reader: AdmissionReader,
) => Promise<FieldError[]>;

/** Defaulting and validation of a kind, as upstream's webhooks do it. All functions see the storage version. */
export interface KindAdmission {
  readonly kind: Kind;
  applyDefaults(object: KubeObject, old: Frozen<KubeObject> | undefined, context: AdmissionContext): void;
  validate(
    object: Frozen<KubeObject>,
    old: Frozen<KubeObject> | undefined,
    context: AdmissionContext,
  ): readonly FieldError[];
  validateLive?(
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
    readonly validateLive?: LiveValidator<ObjectOf<K>>;
  },
): KindAdmission {
  const { defaults = () => {}, validate = () => [], validateLive } = functions;
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
    ...(validateLive && {
      validateLive: ({ object, old }, context, reader) =>
        validateLive(
          { ...(object && { object: completed(object) }), ...(old && { old: completed(old) }) },
          context,
          reader,
        ),
    }),
  };
}

/** The admission of a kind with its feature gates and reader filled in: callers pass only what belongs to the request. */
export interface BoundAdmission {
  readonly kind: Kind;
  applyDefaults(object: KubeObject, old: Frozen<KubeObject> | undefined, request: { readonly dryRun: boolean }): void;
  validate(
    object: Frozen<KubeObject>,
    old: Frozen<KubeObject> | undefined,
    request: { readonly dryRun: boolean },
  ): readonly FieldError[];
  validateLive?(
    change: AdmissionChange<Frozen<KubeObject>> & { readonly dryRun: boolean },
  ): Promise<readonly FieldError[]>;
}

/** Fills in the feature gates and the reader. Without a reader, `validateLive` is omitted. */
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
      admission.validateLive && {
        validateLive: async ({ dryRun, ...change }) =>
          (await admission.validateLive?.(change, { features, dryRun }, reader)) ?? [],
      }),
  }));
}
