import { deepEqual, type FieldError, forbiddenField } from '@slipway/kube';

type Spec = Readonly<Record<string, unknown>>;

/** Rejects changes of all fields except the `changeable` ones. `a.b` is a nested field. */
export function validateUnchangedBut(
  path: string,
  spec: object,
  old: object,
  changeable: readonly string[],
): FieldError[] {
  const [is, was] = [spec, old].map((each) => without(each as Spec, changeable));
  return deepEqual(is, was) ? [] : [forbiddenField(path, 'cannot be modified')];
}

function without(spec: Spec, fields: readonly string[]): Spec {
  const kept: Record<string, unknown> = { ...spec };
  for (const field of fields) {
    const [first = '', rest] = field.split('.', 2);
    const inner = kept[first];
    if (rest === undefined) delete kept[first];
    else if (typeof inner === 'object' && inner !== null) kept[first] = without(inner as Spec, [rest]);
  }
  return kept;
}
