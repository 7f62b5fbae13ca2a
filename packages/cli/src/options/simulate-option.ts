import { InvalidArgumentError, Option } from 'commander';

const simulations = ['vcenter', 'supervisor'] as const;

/** What machines of vSphere run on when there is no vSphere. */
export type Simulated = (typeof simulations)[number];

/** `--simulate`: the machines of a simulated vCenter boot in memory; a Supervisor is played as a whole. */
export function simulateOption(): Option {
  return new Option(
    '--simulate <what>',
    'play what a laptop lacks: the guests of a simulated vCenter (vcenter), a Supervisor (supervisor), or both',
  )
    .default([], 'nothing')
    .argParser(parseSimulated);
}

function parseSimulated(text: string): Simulated[] {
  return text.split(',').map((word) => {
    const found = simulations.find((each) => each === word.trim());
    if (found === undefined) throw new InvalidArgumentError(`It is ${simulations.join(', ')}, or both with a comma.`);
    return found;
  });
}
