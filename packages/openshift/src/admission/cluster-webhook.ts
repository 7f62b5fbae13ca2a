import { clusters, objectAt, textAt } from '@slipway/cluster-api';
import { type FieldError, forbidden, invalid, invalidField, notSupported, requiredField } from '@slipway/kube';
import { type AdmissionRequest, type AdmissionWebhook, type Reader, ifPresent } from '@slipway/runtime';
import { infrastructures } from '../api/index.js';
import { namespaces, singletonKey } from '../names.js';
import { infraClusterKind, platforms } from '../platforms/index.js';

/**
 * Creates the webhook that protects the only Cluster of the managed namespace. Clusters in other namespaces are not validated.
 */
export function clusterWebhook(read: Reader): AdmissionWebhook {
  return {
    name: 'openshift.validation.cluster.cluster.x-k8s.io',
    path: '/validate-cluster-x-k8s-io-v1beta2-cluster',
    rules: [
      {
        apiGroups: [clusters.group],
        apiVersions: [clusters.version],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: [clusters.plural],
      },
    ],
    handler: (request) => validate(request, read),
  };
}

const kinds = platforms.map(infraClusterKind);
const name = { group: clusters.group, resource: clusters.plural };

async function validate(request: AdmissionRequest, read: Reader): Promise<void> {
  if (request.namespace !== namespaces.clusterApi) return;
  if (request.operation === 'DELETE')
    throw forbidden(
      name,
      request.name ?? '',
      'it represents the cluster that the operator runs in and cannot be deleted',
    );
  const { object } = request;
  if (!object) return;
  const errors: FieldError[] = [];
  const reference = objectAt(object, 'spec', 'infrastructureRef');
  const kind = textAt(object, 'spec', 'infrastructureRef', 'kind');
  if (reference === undefined) errors.push(requiredField('spec.infrastructureRef', 'infrastructureRef is required'));
  else if (kind === undefined || !kinds.includes(kind))
    errors.push(notSupported('spec.infrastructureRef.kind', kind ?? '', kinds));
  if (request.operation === 'CREATE') errors.push(...(await checkName(object.metadata.name ?? '', read)));
  if (errors.length > 0) throw invalid({ group: clusters.group, kind: 'Cluster' }, object.metadata.name ?? '', errors);
}

async function checkName(given: string, read: Reader): Promise<FieldError[]> {
  const infrastructure = await ifPresent(read.get(infrastructures, singletonKey));
  const desired = infrastructure?.status?.infrastructureName ?? '';
  if (given === desired) return [];
  return [
    invalidField('metadata.name', given, `only one Cluster is allowed in this namespace, with the name ${desired}`),
  ];
}
