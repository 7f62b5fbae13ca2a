import { formatTime, type Frozen, isFields, type KubeObject, listAt, recordAt, textAt } from '@slipway/kube';
import type { SigningRequestStrategies, WriteContext } from '../../contract/index.js';
import { userJson } from '../reviews/index.js';
import { validateSigningRequest, validateSigningRequestUpdate } from './signing-request-validation.js';

type Draft = Record<string, unknown>;

/** Returns the strategies of CertificateSigningRequest for main resource, approval and status. Each writes its own fields. */
export function createSigningRequestStrategies(): SigningRequestStrategies {
  return {
    main: {
      validateName: () => [],
      prepareForCreate,
      prepareForUpdate(object, old, context): void {
        object['spec'] = old['spec'];
        if (context.subresource === 'status') prepareStatus(object, old, context);
        else restore(object, old, 'status');
      },
      validateCreate: (object) => validateSigningRequest(object),
      validateUpdate: (object, old, context) =>
        validateSigningRequestUpdate(object, old, { approve: false, sign: context.subresource === 'status' }),
    },
    approval: {
      prepareForUpdate: prepareApproval,
      validateUpdate: (object, old) => validateSigningRequestUpdate(object, old, { approve: true, sign: false }),
    },
  };
}

/** Sets the requesting user from the authenticated one. Clients must not choose it, because the signer certifies it. */
function prepareForCreate(object: KubeObject, context: WriteContext): void {
  const spec: Draft = { ...recordAt(object, 'spec') };
  for (const key of ['username', 'uid', 'groups', 'extra']) delete spec[key];
  const { username, ...rest } = userJson(context.user);
  object['spec'] = { ...spec, username, ...rest };
  object['status'] = {};
}

function prepareApproval(object: KubeObject, old: Frozen<KubeObject>, context: WriteContext): void {
  setConditionTimes(object, old, context.now);
  const conditions = listAt(recordAt(object, 'status'), 'conditions');
  object['spec'] = old['spec'];
  restore(object, old, 'status');
  if (conditions.length > 0) object['status'] = { ...recordAt(old, 'status'), conditions };
  else object['status'] = withoutConditions(old);
}

function prepareStatus(object: KubeObject, old: Frozen<KubeObject>, context: WriteContext): void {
  setConditionTimes(object, old, context.now);
  for (const type of ['Approved', 'Denied']) keepConditions(object, old, type);
}

function withoutConditions(old: Frozen<KubeObject>): Draft {
  const status: Draft = { ...recordAt(old, 'status') };
  delete status['conditions'];
  return status;
}

function restore(object: KubeObject, old: Frozen<KubeObject>, key: string): void {
  if (Object.hasOwn(old, key)) object[key] = old[key];
  else delete object[key];
}

function conditionsOf(object: unknown): Draft[] {
  return listAt(recordAt(object, 'status'), 'conditions').filter(isFields) as Draft[];
}

/**
 * Restores the stored conditions of this type (Approved or Denied), so that a signer that read an older status does not overwrite
 * them. Applies only if the number of conditions of the type is unchanged: adding and removing them is validated elsewhere.
 */
function keepConditions(object: KubeObject, old: Frozen<KubeObject>, type: string): void {
  const status = recordAt(object, 'status');
  const conditions = [...listAt(status, 'conditions')];
  const before = conditionsOf(old).filter((condition) => textAt(condition, 'type') === type);
  const places = conditions.flatMap((condition, index) => (textAt(condition, 'type') === type ? index : []));
  if (before.length !== places.length || places.length === 0) return;
  places.forEach((place, index) => {
    conditions[place] = { ...before[index] };
  });
  object['status'] = { ...status, conditions };
}

function setConditionTimes(object: KubeObject, old: Frozen<KubeObject>, now: number): void {
  const before = conditionsOf(old);
  for (const condition of conditionsOf(object)) {
    if (textAt(condition, 'lastUpdateTime') === '') condition['lastUpdateTime'] = formatTime(now);
    if (textAt(condition, 'lastTransitionTime') !== '') continue;
    const same = before.find((other) =>
      ['type', 'status'].every((key) => textAt(other, key) === textAt(condition, key)),
    );
    condition['lastTransitionTime'] = textAt(same, 'lastTransitionTime') || formatTime(now);
  }
}
