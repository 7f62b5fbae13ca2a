import { createServer } from 'node:net';
import { MachineProblem } from './errors.js';

/** Returns a free loopback port. If another process takes it first, QEMU does not start and another port is tried. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

export function portTaken(port: number): MachineProblem {
  const remedy = 'free it, or remove spec.network.portForwards[].hostPort';
  return new MachineProblem('VMProvisioned', 'PortTaken', `port ${port} of this host is in use: ${remedy}`);
}
