const meta = 'k8s.io.apimachinery.pkg.apis.meta.v1';
const extensions = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1';

/** Messages whose JSON form is not an object of their fields. */
export type SpecialForm =
  | 'time'
  | 'micro-time'
  | 'duration'
  | 'quantity'
  | 'int-or-string'
  | 'raw-object'
  | 'raw-value'
  | 'string-list'
  | 'schema-or-array'
  | 'schema-or-bool'
  | 'schema-or-strings';

const forms = new Map<string, SpecialForm>([
  [`${meta}.Time`, 'time'],
  [`${meta}.MicroTime`, 'micro-time'],
  [`${meta}.Duration`, 'duration'],
  ['k8s.io.apimachinery.pkg.api.resource.Quantity', 'quantity'],
  ['k8s.io.apimachinery.pkg.util.intstr.IntOrString', 'int-or-string'],
  ['k8s.io.apimachinery.pkg.runtime.RawExtension', 'raw-object'],
  [`${meta}.FieldsV1`, 'raw-object'],
  [`${extensions}.JSON`, 'raw-value'],
  [`${meta}.Verbs`, 'string-list'],
  ['k8s.io.api.authentication.v1.ExtraValue', 'string-list'],
  ['k8s.io.api.authorization.v1.ExtraValue', 'string-list'],
  ['k8s.io.api.certificates.v1.ExtraValue', 'string-list'],
  [`${extensions}.JSONSchemaPropsOrArray`, 'schema-or-array'],
  [`${extensions}.JSONSchemaPropsOrBool`, 'schema-or-bool'],
  [`${extensions}.JSONSchemaPropsOrStringArray`, 'schema-or-strings'],
]);

export const schemaPropsMessage = `${extensions}.JSONSchemaProps`;

export function specialForm(message: string): SpecialForm | undefined {
  return forms.get(message);
}
