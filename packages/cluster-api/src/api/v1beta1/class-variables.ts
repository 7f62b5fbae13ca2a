import {
  anyValue,
  boolean,
  enumeration,
  int64,
  list,
  mapList,
  object,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { variableTexts } from '../texts/class-variables.js';

const variableSchemaV1Beta1 = object(
  {
    openAPIV3Schema: object(
      {
        additionalProperties: optional(anyValue({ description: variableTexts.additionalProperties })),
        allOf: optional(anyValue({ description: variableTexts.allOf })),
        anyOf: optional(anyValue({ description: variableTexts.anyOf })),
        default: optional(anyValue({ description: variableTexts.default })),
        description: optional(
          string({ minLength: 1, maxLength: 4096, description: variableTexts.openAPIV3SchemaDescription }),
        ),
        enum: optional(list(anyValue(), { maxItems: 100, description: variableTexts.enum })),
        example: optional(anyValue({ description: variableTexts.example })),
        exclusiveMaximum: optional(boolean({ description: variableTexts.exclusiveMaximum })),
        exclusiveMinimum: optional(boolean({ description: variableTexts.exclusiveMinimum })),
        format: optional(string({ minLength: 1, maxLength: 32, description: variableTexts.format })),
        items: optional(anyValue({ description: variableTexts.items })),
        maxItems: optional(int64({ description: variableTexts.maxItems })),
        maxLength: optional(int64({ description: variableTexts.maxLength })),
        maxProperties: optional(int64({ description: variableTexts.maxProperties })),
        maximum: optional(int64({ description: variableTexts.maximum })),
        minItems: optional(int64({ description: variableTexts.minItems })),
        minLength: optional(int64({ description: variableTexts.minLength })),
        minProperties: optional(int64({ description: variableTexts.minProperties })),
        minimum: optional(int64({ description: variableTexts.minimum })),
        not: optional(anyValue({ description: variableTexts.not })),
        oneOf: optional(anyValue({ description: variableTexts.oneOf })),
        pattern: optional(string({ minLength: 1, maxLength: 512, description: variableTexts.pattern })),
        properties: optional(anyValue({ description: variableTexts.properties })),
        required: optional(
          list(string({ minLength: 1, maxLength: 256 }), {
            maxItems: 1000,
            description: variableTexts.openAPIV3SchemaRequired,
          }),
        ),
        type: optional(
          enumeration(['object', 'array', 'string', 'integer', 'number', 'boolean'], {
            description: variableTexts.type,
          }),
        ),
        uniqueItems: optional(boolean({ description: variableTexts.uniqueItems })),
        'x-kubernetes-int-or-string': optional(boolean({ description: variableTexts.xKubernetesIntOrString })),
        'x-kubernetes-preserve-unknown-fields': optional(
          boolean({ description: variableTexts.xKubernetesPreserveUnknownFields }),
        ),
        'x-kubernetes-validations': optional(
          mapList(
            object({
              fieldPath: optional(string({ minLength: 1, maxLength: 512, description: variableTexts.fieldPath })),
              message: optional(string({ minLength: 1, maxLength: 512, description: variableTexts.message })),
              messageExpression: optional(
                string({ minLength: 1, maxLength: 1024, description: variableTexts.messageExpression }),
              ),
              reason: optional(
                enumeration(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'], {
                  default: 'FieldValueInvalid',
                  description: variableTexts.reason,
                }),
              ),
              rule: string({ minLength: 1, maxLength: 4096, description: variableTexts.rule }),
            }),
            ['rule'],
            { maxItems: 100, description: variableTexts.xKubernetesValidations },
          ),
        ),
        'x-metadata': optional(refine(templateMetadataV1Beta1, { description: variableTexts.xMetadata })),
      },
      { description: variableTexts.openAPIV3Schema },
    ),
  },
  { description: variableTexts.variableSchema },
);

export const classVariablesV1Beta1 = list(
  object({
    metadata: optional(refine(templateMetadataV1Beta1, { description: variableTexts.metadata })),
    name: string({ minLength: 1, maxLength: 256, description: variableTexts.name }),
    required: boolean({ description: variableTexts.required }),
    schema: variableSchemaV1Beta1,
  }),
  {
    maxItems: 1000,
    description: variableTexts.classVariables,
  },
);

export const classVariableStatusV1Beta1 = list(
  object({
    definitions: list(
      object({
        from: string({ minLength: 1, maxLength: 256, description: variableTexts.from }),
        metadata: optional(refine(templateMetadataV1Beta1, { description: variableTexts.metadata })),
        required: boolean({ description: variableTexts.required }),
        schema: variableSchemaV1Beta1,
      }),
      { maxItems: 100, description: variableTexts.classVariableStatusDefinitions },
    ),
    definitionsConflict: optional(boolean({ description: variableTexts.definitionsConflict })),
    name: string({ minLength: 1, maxLength: 256, description: variableTexts.name }),
  }),
  {
    maxItems: 1000,
    description: variableTexts.classVariableStatus,
  },
);
