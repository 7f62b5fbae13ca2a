import type { ObjectMeta } from '../../meta/index.js';
import type { Schema } from '../schema.js';

/**
 * A CustomResourceDefinition of apiextensions.k8s.io/v1 with the fields that this project uses. It is a type alias, so that it is
 * assignable to KubeObject.
 */
export type CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: ObjectMeta;
  spec: CustomResourceDefinitionSpec;
  status?: CustomResourceDefinitionStatus;
};

export interface CustomResourceDefinitionSpec {
  group: string;
  names: CustomResourceNames;
  scope: 'Namespaced' | 'Cluster';
  versions: CustomResourceDefinitionVersion[];
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
}

export interface CustomResourceNames {
  plural: string;
  kind: string;
  singular?: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: Schema };
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface CustomResourceSubresources {
  status?: Record<string, never>;
  scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
}

export interface CustomResourceColumn {
  name: string;
  type: string;
  jsonPath: string;
  priority?: number;
  format?: string;
  description?: string;
}

export interface CustomResourceConversion {
  strategy: 'None' | 'Webhook';
  webhook?: {
    clientConfig?: {
      url?: string;
      service?: { namespace: string; name: string; path?: string; port?: number };
      caBundle?: string;
    };
    conversionReviewVersions?: string[];
  };
}

export interface CustomResourceDefinitionCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

export interface CustomResourceDefinitionStatus {
  conditions?: CustomResourceDefinitionCondition[];
  acceptedNames?: CustomResourceNames;
  storedVersions?: string[];
  observedGeneration?: number;
}
