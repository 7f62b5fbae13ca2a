import { cpus, loadavg, totalmem } from 'node:os';

/** Describes the hardware of the host for the reports. */
export function machineLine(): string {
  const load = loadavg().map((one) => one.toFixed(1));
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `On ${cpus().length} cores, ${memory} GB, Node ${process.versions.node}; load average at the end ${load.join(', ')}.`;
}
