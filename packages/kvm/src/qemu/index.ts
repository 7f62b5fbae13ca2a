export { type AcceleratorChoice, chooseAccelerator } from './accelerator.js';
export {
  type PortForward,
  qemuArguments,
  type QemuDisk,
  type QemuInterface,
  type QemuMachine,
  SocketPathTooLong,
} from './command-line.js';
export { guestHasFile, setGuestTime } from './guest-agent.js';
export { endQemus, findQemus, hasEnded, runningQemu } from './process.js';
export { QmpClient, QmpClosedError, QmpError, type QmpEvent } from './qmp-client.js';
