import type { Script } from '../script.js';
import { access } from './access.js';
import { admittedMetadata, dryRuns, noTables, strayNamespace } from './admitted-metadata.js';
import { apply } from './apply.js';
import { customResources } from './custom-resources.js';
import { definitionRefusals } from './definition-refusals.js';
import { definitionVersions } from './definition-versions.js';
import { discovery } from './discovery.js';
import { clusterKinds } from './cluster-kinds.js';
import { dataKinds } from './data-kinds.js';
import { fieldValidation } from './field-validation.js';
import { health } from './health.js';
import { kindRules } from './kind-rules.js';
import { workloadKinds } from './workload-kinds.js';
import { deletions, lists, watches } from './lists.js';
import { objects } from './objects.js';
import { podParts } from './pod-parts.js';
import { protobufAnswers } from './protobuf.js';
import { refusals } from './refusals.js';
import { terminatingDefinition } from './terminating-definition.js';
import { unservedManagers } from './unserved-managers.js';

export const scripts: readonly Script[] = [
  discovery,
  refusals,
  objects,
  protobufAnswers,
  apply,
  lists,
  watches,
  deletions,
  definitionRefusals,
  customResources,
  definitionVersions,
  workloadKinds,
  podParts,
  dataKinds,
  clusterKinds,
  kindRules,
  access,
  admittedMetadata,
  strayNamespace,
  dryRuns,
  noTables,
  fieldValidation,
  unservedManagers,
  terminatingDefinition,
  health,
];
