import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Authority, type MigrationState, planMigration } from './migration-plan.js';

const settled: MigrationState = {
  desired: 'MachineAPI',
  current: 'MachineAPI',
  isSynchronized: true,
  synchronizedGeneration: 3,
  mapi: { generation: 3, isPaused: false },
  capi: { generation: 7, hasPausedAnnotation: true, hasNoPausedAnnotation: false, isPaused: true },
};
const migrating = { current: 'Migrating' } as const;

describe('the next step', () => {
  it.each([
    { name: 'does nothing if the requested API is authoritative', state: {}, then: 'done' },
    { name: 'initializes status.authoritativeAPI', state: { current: '' as const }, then: 'initialize' },
    {
      name: 'waits until both sides are synchronized [operators 35]',
      state: { desired: 'ClusterAPI' as const, isSynchronized: false },
      then: 'wait',
    },
    {
      name: 'compares the generation of the authoritative resource [operators 36]',
      state: { desired: 'ClusterAPI' as const, synchronizedGeneration: 7 },
      then: 'wait',
    },
    { name: 'starts the migration', state: { desired: 'ClusterAPI' as const }, then: 'begin' },
    { name: 'waits for Machine API to pause', state: { ...migrating, desired: 'ClusterAPI' as const }, then: 'wait' },
    {
      name: 'unpauses Cluster API',
      state: { ...migrating, desired: 'ClusterAPI' as const, mapi: { generation: 3, isPaused: true } },
      then: 'unpause',
    },
    {
      name: 'completes the migration',
      state: {
        ...migrating,
        desired: 'ClusterAPI' as const,
        mapi: { generation: 3, isPaused: true },
        capi: { generation: 7, hasPausedAnnotation: false, hasNoPausedAnnotation: true, isPaused: false },
      },
      then: 'finish',
    },
    {
      name: 'pauses both objects of Cluster API [operators 37]',
      state: {
        current: 'Migrating' as const,
        synchronizedGeneration: 7,
        capi: { generation: 7, hasPausedAnnotation: false, hasNoPausedAnnotation: false, isPaused: false },
      },
      then: 'pause',
    },
    {
      name: 'waits until both objects report Paused [operators 37]',
      state: {
        current: 'Migrating' as const,
        synchronizedGeneration: 7,
        capi: { generation: 7, hasPausedAnnotation: true, hasNoPausedAnnotation: false, isPaused: false },
      },
      then: 'wait',
    },
    {
      name: 'returns to Machine API if the request is reverted',
      state: { ...migrating, isSynchronized: false },
      then: 'finish',
    },
  ])('$name', ({ state, then }) => {
    expect(planMigration({ ...settled, ...state }).type).toBe(then);
  });
});

/** Simulates a machine with its controllers, which reconcile in any order. */
class SimulatedMachine {
  desired: Authority = 'MachineAPI';
  current: MigrationState['current'] = '';
  isSynchronized = false;
  generations = { mapi: 1, capi: 1, synchronized: 0 };
  mapi = { isActing: false, isPaused: false };
  capi = { isPauseRequested: true, isActing: false, isPaused: true };

  step(action: string): void {
    if (action === 'wish') this.desired = this.desired === 'MachineAPI' ? 'ClusterAPI' : 'MachineAPI';
    if (action === 'edit') this.generations.mapi += 1;
    if (action === 'mapi') {
      this.mapi.isActing = this.current === 'MachineAPI';
      this.mapi.isPaused = !this.mapi.isActing;
    }
    if (action === 'capi')
      this.capi = { ...this.capi, isActing: !this.capi.isPauseRequested, isPaused: this.capi.isPauseRequested };
    if (action === 'sync' && (this.current === 'MachineAPI' || this.current === 'ClusterAPI')) {
      this.isSynchronized = true;
      this.generations.synchronized = this.current === 'MachineAPI' ? this.generations.mapi : this.generations.capi;
    }
    if (action === 'migrate') this.migrate();
  }

  migrate(): void {
    const { isPauseRequested, isPaused } = this.capi;
    const step = planMigration({
      desired: this.desired,
      current: this.current,
      isSynchronized: this.isSynchronized,
      synchronizedGeneration: this.generations.synchronized,
      mapi: { generation: this.generations.mapi, isPaused: this.mapi.isPaused },
      capi: {
        generation: this.generations.capi,
        hasPausedAnnotation: isPauseRequested,
        hasNoPausedAnnotation: !isPauseRequested,
        isPaused,
      },
    });
    if (step.type === 'initialize') {
      this.current = step.authority;
      // Simulates the creation of the mirror, which is not paused if Cluster API is authoritative.
      this.capi = { ...this.capi, isPauseRequested: step.authority === 'MachineAPI' };
    }
    if (step.type === 'begin') this.current = 'Migrating';
    if (step.type === 'pause') this.capi = { ...this.capi, isPauseRequested: true };
    if (step.type === 'unpause') this.capi = { ...this.capi, isPauseRequested: false };
    if (step.type === 'finish') {
      this.current = step.authority;
      this.generations.synchronized = 0;
      this.isSynchronized = false;
    }
  }
}

describe('a migration', () => {
  const action = fc.constantFrom('wish', 'edit', 'mapi', 'capi', 'sync', 'migrate', 'migrate');

  it('never lets both APIs act, in any reconcile order and with any requested changes', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const simulated = new SimulatedMachine();
        for (const one of actions) {
          simulated.step(one);
          expect(simulated.mapi.isActing && simulated.capi.isActing).toBe(false);
        }
      }),
    );
  });

  it('completes when no changes are left', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const simulated = new SimulatedMachine();
        for (const one of actions) simulated.step(one);
        for (let round = 0; round < 8; round += 1)
          for (const one of ['sync', 'migrate', 'mapi', 'capi', 'migrate']) simulated.step(one);
        expect([simulated.current, simulated.mapi.isActing, simulated.capi.isActing]).toEqual([
          simulated.desired,
          simulated.desired === 'MachineAPI',
          simulated.desired === 'ClusterAPI',
        ]);
      }),
    );
  });
});
