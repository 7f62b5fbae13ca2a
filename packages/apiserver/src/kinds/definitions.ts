import type { ResourceDefinition } from '../contract/index.js';
import { mutatingAdmissionPolicies } from './admissionregistration/mutating-admission-policy.js';
import { mutatingAdmissionPolicyBindings } from './admissionregistration/mutating-admission-policy-binding.js';
import { mutatingWebhookConfigurations } from './admissionregistration/mutating-webhook-configuration.js';
import { validatingAdmissionPolicies } from './admissionregistration/validating-admission-policy.js';
import { validatingAdmissionPolicyBindings } from './admissionregistration/validating-admission-policy-binding.js';
import { validatingWebhookConfigurations } from './admissionregistration/validating-webhook-configuration.js';
import { customResourceDefinitions } from './apiextensions/custom-resource-definition.js';
import { apiServices } from './apiregistration/api-service.js';
import { controllerRevisions } from './apps/controller-revision.js';
import { daemonSets } from './apps/daemon-set.js';
import { deployments } from './apps/deployment.js';
import { replicaSets } from './apps/replica-set.js';
import { statefulSets } from './apps/stateful-set.js';
import { authenticationReviews } from './authentication/reviews.js';
import { authorizationReviews } from './authorization/reviews.js';
import { horizontalPodAutoscalers } from './autoscaling/horizontal-pod-autoscaler.js';
import { cronJobs } from './batch/cron-job.js';
import { jobs } from './batch/job.js';
import { certificateSigningRequests } from './certificates/certificate-signing-request.js';
import { leases } from './coordination/lease.js';
import { bindings } from './core/binding.js';
import { configMaps } from './core/config-map.js';
import { endpoints } from './core/endpoints.js';
import { limitRanges } from './core/limit-range.js';
import { namespaces } from './core/namespace.js';
import { nodes } from './core/node.js';
import { persistentVolumes } from './core/persistent-volume.js';
import { persistentVolumeClaims } from './core/persistent-volume-claim.js';
import { pods } from './core/pod.js';
import { podTemplates } from './core/pod-template.js';
import { replicationControllers } from './core/replication-controller.js';
import { resourceQuotas } from './core/resource-quota.js';
import { secrets } from './core/secret.js';
import { serviceAccounts } from './core/service-account.js';
import { endpointSlices } from './discovery/endpoint-slice.js';
import { coreEvents, newEvents } from './events/event.js';
import { flowSchemas } from './flowcontrol/flow-schema.js';
import { priorityLevelConfigurations } from './flowcontrol/priority-level-configuration.js';
import type { BuiltinHooks } from './hooks.js';
import { ingresses } from './networking/ingress.js';
import { ingressClasses } from './networking/ingress-class.js';
import { ipAddresses } from './networking/ip-address.js';
import { networkPolicies } from './networking/network-policy.js';
import { serviceCidrs } from './networking/service-cidr.js';
import { runtimeClasses } from './node/runtime-class.js';
import { podDisruptionBudgets } from './policy/pod-disruption-budget.js';
import { clusterRoles } from './rbac/cluster-role.js';
import { clusterRoleBindings } from './rbac/cluster-role-binding.js';
import { roles } from './rbac/role.js';
import { roleBindings } from './rbac/role-binding.js';
import { priorityClasses } from './scheduling/priority-class.js';
import { services } from './services/service.js';
import { csiDrivers } from './storage/csi-driver.js';
import { csiNodes } from './storage/csi-node.js';
import { csiStorageCapacities } from './storage/csi-storage-capacity.js';
import { storageClasses } from './storage/storage-class.js';
import { volumeAttachments } from './storage/volume-attachment.js';
import { volumeAttributesClasses } from './storage/volume-attributes-class.js';

/** All built-in resources in discovery order: groups by upstream's priority, resources by name. */
export function builtinDefinitions(hooks: BuiltinHooks = {}): ResourceDefinition[] {
  return [
    ...coreDefinitions(hooks),
    apiServices,
    controllerRevisions,
    daemonSets,
    deployments,
    replicaSets,
    statefulSets,
    newEvents,
    ...(hooks.reviews === undefined ? [] : authenticationReviews(hooks.reviews)),
    ...(hooks.reviews === undefined ? [] : authorizationReviews(hooks.reviews)),
    horizontalPodAutoscalers,
    cronJobs,
    jobs,
    certificateSigningRequests(hooks.certificates),
    ingressClasses,
    ingresses,
    ipAddresses,
    networkPolicies,
    serviceCidrs,
    podDisruptionBudgets,
    clusterRoleBindings,
    clusterRoles,
    roleBindings,
    roles,
    csiDrivers,
    csiNodes,
    csiStorageCapacities,
    storageClasses,
    volumeAttachments,
    volumeAttributesClasses,
    mutatingAdmissionPolicies,
    mutatingAdmissionPolicyBindings,
    mutatingWebhookConfigurations,
    validatingAdmissionPolicies,
    validatingAdmissionPolicyBindings,
    validatingWebhookConfigurations,
    customResourceDefinitions(hooks.customResources),
    priorityClasses,
    leases,
    runtimeClasses,
    endpointSlices,
    flowSchemas,
    priorityLevelConfigurations,
  ];
}

function coreDefinitions(hooks: BuiltinHooks): ResourceDefinition[] {
  return [
    ...(hooks.pods === undefined ? [] : [bindings(hooks.pods)]),
    configMaps,
    endpoints,
    coreEvents,
    limitRanges,
    namespaces,
    nodes,
    persistentVolumeClaims,
    persistentVolumes,
    pods(hooks.pods),
    podTemplates,
    replicationControllers,
    resourceQuotas,
    secrets,
    serviceAccounts(hooks.serviceAccountToken),
    services(hooks.serviceNetwork),
  ];
}
