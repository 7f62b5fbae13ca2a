/** Which version each part of a topology is to have now; on the way of an upgrade they differ. Workers by topology name. */
export interface TopologyVersions {
  readonly controlPlane: string;
  readonly machineDeployments: ReadonlyMap<string, string>;
  readonly machinePools: ReadonlyMap<string, string>;
  /** The version that an upgrade under way has come to. */
  readonly upgradeStep?: string;
}
