/** Allowed differences between upstream's objects and Slipway's, by line of the comparison, each with its reason. */
export const allowedDifferences: readonly { readonly what: RegExp; readonly why: string }[] = [
  {
    what: /^[-+] (Cluster|DevCluster) quick-start\S*: \.spec\.controlPlaneEndpoint\.port = \d+$/,
    why: 'each takes the next port of the range that is free',
  },
  {
    what: /^\+ (Machine|DevMachine) \S+: \.status\.addresses\[(Hostname|InternalIP)\]/,
    why: 'our simulated machines have addresses, as real ones do',
  },
  {
    what: /^[-+] Machine \S+: \.status\.nodeInfo\.(architecture|bootID|containerRuntimeVersion|kernelVersion|machineID|operatingSystem|osImage|systemUUID) = /,
    why: 'our simulated nodes say what they run on, as real ones do',
  },
  {
    what: /^\+ DevMachineTemplate \S+: \.status\.capacity\./,
    why: 'upstream asks Docker for the capacity of a machine, and there is none here',
  },
  {
    what: /^[-+] (Machine|DevMachine) \S+: \.metadata\.annotations\.machine\.inmemory\.\S+\/bootstrapped = /,
    why: 'that a machine was up once is noted on the DevMachine, which is ours, and not on the Machine',
  },
];
