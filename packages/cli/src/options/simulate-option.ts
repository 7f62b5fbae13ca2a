import { InvalidArgumentError, Option } from 'commander';

const simulations = ['vcenter', 'supervisor'] as const;

/** The infrastructure that can be simulated. */
export type Simulated = (typeof simulations)[number];

/** Returns `--simulate`: the VMs of a simulated vCenter boot in memory; a Supervisor is simulated as a whole. */
export function simulateOption(): Option {
  return new Option(
    '--simulate <what>',
    'Simulate infrastructure: the guests of a simulated vCenter (vcenter), a vSphere Supervisor (supervisor), or both, comma-separated.',
  )
    .default([], 'none')
    .argParser(parseSimulated);
}

function parseSimulated(text: string): Simulated[] {
  return text.split(',').map((word) => {
    const found = simulations.find((each) => each === word.trim());
    if (found === undefined)
      throw new InvalidArgumentError(`The value must be ${simulations.join(' or ')}, or both, comma-separated.`);
    return found;
  });
}
