import { DriverError, type Reason } from '../../src/api/index.js';
import type { ConnectionReport, ConnectionTarget, MachineFacts, VCenters } from '../../src/connection/index.js';

/** Simulated vCenters whose responses a test sets. */
export class FakeVCenters implements VCenters {
  readonly checks: ConnectionTarget[] = [];
  passwords = new Map<string, string>();
  failure: { reason: Reason; message: string } | undefined;
  version = '8.0.3';
  missing: { entity: string; privilege: string }[] = [];
  arePrivilegesKnown = true;
  virtualMachines: MachineFacts[] | undefined;

  check(target: ConnectionTarget): Promise<ConnectionReport> {
    this.checks.push(target);
    if (this.failure !== undefined) return Promise.reject(new DriverError(this.failure.reason, this.failure.message));
    const expected = this.passwords.get(target.server);
    if (expected !== undefined && expected !== target.password)
      return Promise.reject(
        new DriverError('InvalidLogin', `${target.server} rejected the login of ${target.username}`),
      );
    return Promise.resolve({
      version: this.version,
      apiVersion: this.version,
      build: '1',
      instanceUuid: 'fake',
      certificate: { sha1: 'AA', sha256: 'BB', notAfter: '2030-01-01T00:00:00.000Z' },
      missingPrivileges: this.missing,
      arePrivilegesKnown: this.arePrivilegesKnown,
    });
  }

  machines(): Promise<readonly MachineFacts[]> {
    return this.virtualMachines === undefined
      ? Promise.reject(new Error('no machines were configured'))
      : Promise.resolve(this.virtualMachines);
  }
}

export function machine(name: string, uuid: string, more: Partial<MachineFacts> = {}): MachineFacts {
  return {
    name,
    uuid,
    addresses: [],
    hostName: name,
    hardware: 'vmx-20',
    isDiskUuidEnabled: true,
    areToolsRunning: true,
    hostVersion: '8.0.3',
    ...more,
  };
}
