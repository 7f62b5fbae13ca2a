export type {
  ClusterProgress,
  InfrastructureCluster,
  InfrastructureMachine,
  MachineAddress,
  MachineProgress,
  ProvisionedMachine,
  RemovalProgress,
  ReportedCondition,
  ReportedTypes,
} from './contract.js';
export type { ClusterScope, DeletingClusterScope, InfrastructureClusterDefinition } from './infrastructure-cluster.js';
export { defineInfrastructureCluster } from './infrastructure-cluster.js';
export type { DeletingMachineScope, InfrastructureMachineDefinition, MachineScope } from './infrastructure-machine.js';
export { defineInfrastructureMachine, reconcileInfrastructureMachine } from './infrastructure-machine.js';
export type {
  InfrastructureMachineTemplate,
  InfrastructureMachineTemplateDefinition,
} from './infrastructure-machine-template.js';
export { defineInfrastructureMachineTemplate } from './infrastructure-machine-template.js';
export type { Plugin, PluginControllers, PluginDependencies } from './plugin.js';
export { definePlugin, isPlugin } from './plugin.js';
