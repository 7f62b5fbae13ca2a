export { cpiHealth, csiHealth, type DriverHealth, registrationOf, registrationText } from './driver-health.js';
export { findMachine, type MachineProblem, machineProblems, nodeStates } from './node-states.js';
export { type PodTrouble, worstPod } from './pod-trouble.js';
export { daemonSetHealth, deploymentHealth, type WorkloadHealth } from './workload-health.js';
