import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import { LocalService } from '@slipway/kvm';
import { tinyMachine } from './tiny-guest.js';
import { ensureUntil, removeAll, uuidOf, desiredMachine } from './desired-machine.js';

// Runs in a network namespace with a bridge, and prints its observations.
// Timers of the clock do not keep the process alive, so keep it alive here.
const alive = setInterval(() => undefined, 60_000);
const [folder = '', kernel = '', initrd = '', disk = ''] = process.argv.slice(2);
const tiny = { kernel, initrd, disk };
const service = new LocalService({
  stateDirectory: join(folder, 'bridge-state'),
  runDirectory: join(folder, 'bridge-run'),
  clock: systemClock,
});
const data =
  "#cloud-config\nwrite_files:\n-   path: /www/index.html\n    content: |\n      on the bridge\nruncmd:\n  - 'httpd -p 8080 -h /www'\n";
const taps = (): string[] => readdirSync('/sys/class/net').filter((name) => name.startsWith('kvm'));
const spec = { ...tinyMachine(tiny), network: { ipAddresses: ['172.31.9.10/24'] } };
const machine = (last: number, bridge: string) => desiredMachine(uuidOf(last), spec, data, { mode: 'bridge', bridge });

const homeless = machine(1, 'br-none');
const report = await ensureUntil(service, homeless, ({ conditions }) =>
  conditions.some(({ reason }) => reason === 'InvalidSpec'),
);
const withoutBridge = report.conditions.find(({ type }) => type === 'VMProvisioned')?.message;
await removeAll(service, homeless);

const bridged = machine(2, 'br-test');
await ensureUntil(service, bridged, ({ state }) => state === 'running');
const page = await answer('http://172.31.9.10:8080/');
const interfaces = taps();
await removeAll(service, bridged);
service.dispose();
clearInterval(alive);
process.stdout.write(`${JSON.stringify({ withoutBridge, page, interfaces, left: taps() })}\n`);

async function answer(url: string): Promise<string> {
  for (const end = Date.now() + 240_000; ; ) {
    try {
      return await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).text();
    } catch (error) {
      if (Date.now() > end) throw error;
      // Poll until the guest responds: it has just been switched on.
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
