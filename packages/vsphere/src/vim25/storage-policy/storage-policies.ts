import { NotFoundInInventory } from '../errors.js';
import { make, type ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/index.js';

const serviceInstance: ObjectRef = { type: 'PbmServiceInstance', value: 'ServiceInstance' };

/** Storage policies by name, compatible datastores, and policies of disks. */
export class StoragePolicies {
  readonly #session: SoapSession;
  readonly #options: CallOptions;

  constructor(session: SoapSession, options: CallOptions = {}) {
    this.#session = session;
    this.#options = options;
  }

  async idOf(name: string): Promise<string> {
    const { profileManager } = await this.#content();
    const resourceType = { resourceType: 'STORAGE' };
    const parameters = { resourceType, profileCategory: 'REQUIREMENT' };
    const ids = await this.#session.callPolicies('PbmQueryProfile', profileManager, parameters, this.#options);
    if (ids.length > 0) {
      const content = { profileIds: ids };
      const profiles = await this.#session.callPolicies('PbmRetrieveContent', profileManager, content, this.#options);
      const found = profiles.find((profile) => profile.name === name);
      if (found !== undefined) return found.profileId.uniqueId;
    }
    throw new NotFoundInInventory('storage policy', name);
  }

  /** Returns the datastores that are compatible with the policy. */
  async compatible(policyId: string, datastores: readonly ObjectRef[]): Promise<ObjectRef[]> {
    if (datastores.length === 0) return [];
    const { placementSolver } = await this.#content();
    const requirement = make('PbmPlacementCapabilityProfileRequirement', { profileId: { uniqueId: policyId } });
    const parameters = {
      hubsToSearch: datastores.map(({ type, value }) => ({ hubType: type, hubId: value })),
      placementSubjectRequirement: [requirement],
    };
    const results = await this.#session.callPolicies(
      'PbmCheckRequirements',
      placementSolver,
      parameters,
      this.#options,
    );
    const fit = new Set(results.filter(({ error = [] }) => error.length === 0).map(({ hub }) => hub.hubId));
    return datastores.filter(({ value }) => fit.has(value));
  }

  /** Returns the policies of a VM's disks by disk key. */
  async ofDisks(machine: ObjectRef, keys: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> {
    const { profileManager } = await this.#content();
    const entities = keys.map((key) => ({ objectType: 'virtualDiskId', key: `${machine.value}:${key}` }));
    const results = await this.#session.callPolicies(
      'PbmQueryAssociatedProfiles',
      profileManager,
      { entities },
      this.#options,
    );
    return new Map(
      results.map(({ object, profileId = [] }) => [
        Number(object.key.slice(object.key.indexOf(':') + 1)),
        profileId.map(({ uniqueId }) => uniqueId),
      ]),
    );
  }

  #content() {
    return this.#session.callPolicies('PbmRetrieveServiceContent', serviceInstance, {}, this.#options);
  }
}
