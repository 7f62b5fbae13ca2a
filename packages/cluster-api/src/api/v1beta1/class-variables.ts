import { anyValue, boolean, enumeration, int64, list, mapList, object, optional, string } from '@slipway/kube/kit';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';

const variableSchemaV1Beta1 = object({
  openAPIV3Schema: object({
    additionalProperties: optional(anyValue()),
    allOf: optional(anyValue()),
    anyOf: optional(anyValue()),
    default: optional(anyValue()),
    description: optional(string({ minLength: 1, maxLength: 4096 })),
    enum: optional(list(anyValue(), { maxItems: 100 })),
    example: optional(anyValue()),
    exclusiveMaximum: optional(boolean()),
    exclusiveMinimum: optional(boolean()),
    format: optional(string({ minLength: 1, maxLength: 32 })),
    items: optional(anyValue()),
    maxItems: optional(int64()),
    maxLength: optional(int64()),
    maxProperties: optional(int64()),
    maximum: optional(int64()),
    minItems: optional(int64()),
    minLength: optional(int64()),
    minProperties: optional(int64()),
    minimum: optional(int64()),
    not: optional(anyValue()),
    oneOf: optional(anyValue()),
    pattern: optional(string({ minLength: 1, maxLength: 512 })),
    properties: optional(anyValue()),
    required: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 1000 })),
    type: optional(enumeration(['object', 'array', 'string', 'integer', 'number', 'boolean'])),
    uniqueItems: optional(boolean()),
    'x-kubernetes-int-or-string': optional(boolean()),
    'x-kubernetes-preserve-unknown-fields': optional(boolean()),
    'x-kubernetes-validations': optional(
      mapList(
        object({
          fieldPath: optional(string({ minLength: 1, maxLength: 512 })),
          message: optional(string({ minLength: 1, maxLength: 512 })),
          messageExpression: optional(string({ minLength: 1, maxLength: 1024 })),
          reason: optional(
            enumeration(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'], {
              default: 'FieldValueInvalid',
            }),
          ),
          rule: string({ minLength: 1, maxLength: 4096 }),
        }),
        ['rule'],
        { maxItems: 100 },
      ),
    ),
    'x-metadata': optional(templateMetadataV1Beta1),
  }),
});

export const classVariablesV1Beta1 = list(
  object({
    metadata: optional(templateMetadataV1Beta1),
    name: string({ minLength: 1, maxLength: 256 }),
    required: boolean(),
    schema: variableSchemaV1Beta1,
  }),
  { maxItems: 1000 },
);

export const classVariableStatusV1Beta1 = list(
  object({
    definitions: list(
      object({
        from: string({ minLength: 1, maxLength: 256 }),
        metadata: optional(templateMetadataV1Beta1),
        required: boolean(),
        schema: variableSchemaV1Beta1,
      }),
      { maxItems: 100 },
    ),
    definitionsConflict: optional(boolean()),
    name: string({ minLength: 1, maxLength: 256 }),
  }),
  { maxItems: 1000 },
);
