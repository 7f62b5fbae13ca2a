/** The current target version of each part of a topology. They differ during an upgrade. Workers are keyed by topology name. */
export interface TopologyVersions {
  readonly controlPlane: string;
  readonly machineDeployments: ReadonlyMap<string, string>;
  readonly machinePools: ReadonlyMap<string, string>;
  /** The version that an upgrade in progress has reached. */
  readonly upgradeStep?: string;
}
