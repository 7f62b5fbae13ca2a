import { getV1beta1Condition, type V1beta1Condition, type V1beta1Conditioned } from '@slipway/runtime';
import { nameOf } from './machine.js';

type State = Pick<V1beta1Condition, 'status' | 'severity' | 'reason' | 'message'>;

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name?: string };
}

/** The worst comes first: what failed by its severity, then what is fine, then what nobody knows. */
const ranks: readonly string[] = ['Error', 'Warning', 'Info', 'True', 'Unknown'];

function rankOf({ status, severity = 'Error' }: State): number {
  return ranks.indexOf(status === 'False' ? severity : status);
}

/** The first of the worst. */
function worstOf<T extends State>(conditions: readonly T[]): T | undefined {
  return conditions.reduce<T | undefined>(
    (worst, condition) => (worst === undefined || rankOf(condition) < rankOf(worst) ? condition : worst),
    undefined,
  );
}

/** The deprecated Ready condition from others of the same object; undefined while it has none of them. */
export function summarizeV1beta1(object: V1beta1Conditioned, types: readonly string[]): State | undefined {
  const found = types.map((type) => getV1beta1Condition(object, type)).filter((condition) => condition !== undefined);
  const worst = worstOf(found);
  if (worst === undefined) return undefined;
  return worst.status === 'True' ? { status: 'True' } : stateOf(worst, worst.message ?? '');
}

/** One deprecated condition from the Ready conditions of many objects; undefined while none of them has one. */
export function aggregateV1beta1Ready(objects: readonly Named[]): State | undefined {
  const found = objects.flatMap((object) => {
    const ready = getV1beta1Condition(object as V1beta1Conditioned, 'Ready');
    return ready === undefined ? [] : [{ ...ready, source: `${object.kind}/${nameOf(object)}` }];
  });
  const worst = worstOf(found);
  if (worst === undefined) return undefined;
  if (worst.status === 'True') return { status: 'True' };
  const completed = found.filter(({ status }) => status === 'True').length;
  const reason = `${worst.reason ?? ''} @ ${worst.source}`;
  return stateOf({ ...worst, reason }, `${completed} of ${objects.length} completed`);
}

/** Members that are empty are left out: the schema wants at least one character. */
function stateOf({ status, severity, reason = '' }: State, message: string): State {
  return {
    status,
    ...(severity === undefined ? {} : { severity }),
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
  };
}
